/** A file with its path as it was dropped: below the folder that was. */
export interface DroppedFile {
  file: File
  path: string
}

/** What systems leave in folders; told to nobody. */
const systemName = /(^|\/)(\.[^/]*|__MACOSX|Thumbs\.db|desktop\.ini)(\/|$)/i

const isData = ({ path }: DroppedFile): boolean => !systemName.test(path)

/** Files that an element for files was given; of a folder with their paths in it. */
export const chosenFiles = (files: FileList | null): DroppedFile[] =>
  [...(files ?? [])]
    .map((file) => ({ file, path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath }))
    .filter(isData)

const readEntries = (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => {
    const reader = folder.createReader()
    const all: FileSystemEntry[] = []
    // A browser gives a hundred at a time.
    const next = (): void =>
      reader.readEntries((entries) => {
        all.push(...entries)
        if (entries.length === 0) resolve(all)
        else next()
      }, reject)
    next()
  })

const walk = async (entry: FileSystemEntry): Promise<DroppedFile[]> => {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  const found = []
  for (const inner of await readEntries(entry as FileSystemDirectoryEntry)) found.push(...(await walk(inner)))
  return found
}

/** Files and folders that were dropped on the page. To be called before anything is waited for: the browser forgets them then. */
export const droppedFiles = async (transfer: DataTransfer): Promise<DroppedFile[]> => {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const files = entries.length === 0 ? chosenFiles(transfer.files) : (await Promise.all(entries.map(walk))).flat()
  return files.filter(isData)
}
