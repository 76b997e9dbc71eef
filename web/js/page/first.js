/**
 * The document contains this script, which runs before the first picture, so an embed has its layout from the start. On
 * most hosts, a sandboxed frame without its own origin cannot load a module. It then shows a still picture and the
 * address where leaselab runs. If a module does load, it removes both.
 */
if (new URLSearchParams(location.search).has('embed')) document.documentElement.dataset.embed = '';
// A page opened from a file has no origin either. It shows a different message.
if (self.origin === 'null' && location.protocol !== 'file:')
  addEventListener('DOMContentLoaded', () => {
    const link = document.createElement('a');
    link.textContent = link.href = location.href.replace(/\?[^#]*/, '');
    link.target = '_blank';
    const still = new Image();
    still.src = `./stills/${
      location.hash
        .slice(1)
        .replace(/&step=|=/g, '-')
        .split('&')[0] || 'a-leader-dies'
    }.svg`;
    still.onerror = () => still.remove();
    still.alt = 'The timeline of the run';
    still.setAttribute('width', '100%');
    const words = 'The sandbox of this frame does not let leaselab run. Open ';
    document.getElementById('unstarted')?.replaceChildren(words, link, still);
  });
