/**
 * Stands in the document itself and runs before the first picture: the layout of an embed is known from the start. A
 * sandboxed frame without its own origin loads no module from most hosts: it shows a still and where leaselab
 * runs. Where the module does load, it removes this.
 */
if (new URLSearchParams(location.search).has('embed')) document.documentElement.dataset.embed = '';
// A file has no origin either, and needs its own words.
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
