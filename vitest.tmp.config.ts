import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { include: ['e2e/object-storage.full.test.ts'], testTimeout: 90_000, hookTimeout: 240_000 } })
