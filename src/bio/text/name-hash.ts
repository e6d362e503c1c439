/**
 * A hash of 32 bits without sign: FNV-1a with the last step of MurmurHash3, without which names that count up fill neighbouring
 * slots. Another `seed` gives another hash of the same name.
 */
export function hashName(name: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
