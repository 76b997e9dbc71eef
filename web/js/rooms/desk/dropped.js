/** The files that a visitor drops, and the files in dropped folders. */

/**
 * Returns the dropped files. A file in a folder has its path as its name, such as pods/node-a/current.log.
 * @param {DataTransfer | null} data
 * @returns {Promise<File[]>}
 */
export async function filesOf(data) {
  const entries = [...(data?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const plain = [...(data?.files ?? [])]; // before the first wait, because the browser then forgets them
  if (!entries.some((entry) => entry.isDirectory)) return plain;
  return (await Promise.all(entries.map(filesIn))).flat();
}

/** @param {FileSystemEntry} entry @returns {Promise<File[]>} */
async function filesIn(entry) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => /** @type {FileSystemFileEntry} */ (entry).file(done, failed));
    return [new File([file], entry.fullPath.slice(1))];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {FileSystemEntry[]} */
  const entries = [];
  /** At most 100 entries at a time. @returns {Promise<FileSystemEntry[]>} */
  const more = () => new Promise((done, failed) => reader.readEntries(done, failed));
  for (let some = await more(); some.length > 0; some = await more()) entries.push(...some);
  return (await Promise.all(entries.map(filesIn))).flat();
}
