import { Buffer } from 'buffer/'

// JBrowse's readers of binary files expect Node's Buffer; this module is imported before them.
const target = globalThis as { Buffer?: unknown }
target.Buffer ??= Buffer
