import { type FileHandle, open } from 'node:fs/promises'
import { type ContactMap, ContactMapError } from '../../bio/contacts/contact-map.ts'
import { MoreBytesNeeded, maxHeaderBytes, parseHicHeader, parseHicMasterIndex } from '../../bio/contacts/hic-header.ts'

const firstReadBytes = 1 << 16

/** Reads more and more from a position until `parse` has enough. */
export const parseFrom = async <Parsed>(
  handle: FileHandle,
  position: number,
  fileBytes: number,
  parse: (bytes: Uint8Array) => Parsed,
): Promise<Parsed> => {
  for (let length = firstReadBytes; ; length *= 4) {
    const bytes = Buffer.alloc(Math.min(length, fileBytes - position))
    await handle.read(bytes, 0, bytes.length, position)
    try {
      return parse(bytes)
    } catch (error) {
      if (!(error instanceof MoreBytesNeeded)) throw error
      if (position + bytes.length >= fileBytes || length > maxHeaderBytes)
        throw new ContactMapError('contacts-cut-off', { bytes: fileBytes })
    }
  }
}

/**
 * What a .hic file holds, after checking that its header is whole and that the matrix of every pair of chromosomes which
 * its index names lies within the file. Rejects with ContactMapError when it is not so.
 */
export const readHicFile = async (file: string): Promise<ContactMap> => {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { map, footerPosition } = await parseFrom(handle, 0, size, parseHicHeader)
    if (footerPosition <= 0 || footerPosition >= size) throw new ContactMapError('contacts-cut-off', { bytes: size })
    const matrices = await parseFrom(handle, footerPosition, size, (bytes) =>
      parseHicMasterIndex(bytes, map.formatVersion),
    )
    if (matrices.length === 0) throw new ContactMapError('contacts-part-missing', { part: 'matrices' })
    for (const { position, sizeBytes } of matrices) {
      if (position <= 0 || sizeBytes < 0 || position + sizeBytes > size)
        throw new ContactMapError('contacts-cut-off', { bytes: size })
    }
    return map
  } finally {
    await handle.close()
  }
}
