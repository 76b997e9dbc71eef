// Hosts send the page for unknown addresses at any depth. It links to the nearest folder that holds the site's
// manifest.
(async () => {
  for (let folder = new URL('.', location.href); ; folder = new URL('..', folder)) {
    const { ok } = await fetch(new URL('manifest.webmanifest', folder), { method: 'HEAD' });
    if (!ok && folder.pathname !== '/') continue;
    for (const link of document.links) link.href = new URL(link.getAttribute('href'), folder).href;
    return;
  }
})();
