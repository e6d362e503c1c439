/** An object as a list tells it. */
export interface ListedObject {
  key: string
  bytes: number
  modified: Date
}

/**
 * Objects by key in a store that several hosts share. Keys are relative to what the portal was given of the store. Every call is tried
 * again for a while when the connection is lost or the store is busy; then it rejects with StoreError `store-away`.
 */
export interface ObjectStore {
  /** For messages: the address without anything secret. */
  readonly name: string
  /** Size of an object; null when there is none. */
  findBytes(key: string): Promise<number | null>
  /** Writes a local file; it is there whole or not at all. */
  putFile(key: string, file: string, signal?: AbortSignal): Promise<void>
  /** Bytes `[start0, end0)` in pieces; a connection that is lost on the way is taken up again where it ended. `missing` when there is none. */
  read(key: string, start0: number, end0: number, signal?: AbortSignal): AsyncIterable<Buffer>
  /** Objects whose keys begin so, by key. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** The parts of keys after a prefix up to the next slash, each once: the folders below it. */
  listFolders(prefix: string): AsyncIterable<string>
  /** Those that are not there are passed over. */
  delete(keys: readonly string[]): Promise<void>
  /** An address at which a browser can fetch the object for so long, to be saved under the name. */
  signAddress(key: string, options: { seconds: number; fileName: string }): Promise<string>
  close(): void
}

/** Where the store is and who asks it. */
export interface ObjectStoreSettings {
  bucket: string
  /** Before every key, without slashes at its ends; '' for none. */
  prefix: string
  /** Null: the provider's own of the region. */
  endpoint: string | null
  region: string
  /** The bucket is part of the path and not of the host name. */
  pathStyle: boolean
  /** Null: as the provider's tools find it (environment, files, the role of a machine). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}
