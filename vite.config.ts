import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { documentsPlugin } from './src/web/documents-plugin.ts'
import { fontPlugin } from './src/web/font-plugin.ts'
import { serviceWorkerPlugin } from './src/web/service-worker/plugin.ts'
import { toolListPlugin } from './src/web/tool-list-plugin.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('src/web'),
  publicDir: here('src/web/public'),
  // Addresses relative to the page: the server writes in which path it serves the portal under.
  base: './',
  plugins: [
    react(),
    toolListPlugin(here('src/tools')),
    documentsPlugin(here('.')),
    fontPlugin(),
    serviceWorkerPlugin(),
  ],
  build: {
    outDir: here('dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    chunkSizeWarningLimit: 1200,
    // Script is fetched from this origin only: small files stay files, so that no `data:` address is needed.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The list of d3 only names what its parts have, and does not say so: a page that draws one axis would load transitions and zooming.
    rolldownOptions: { treeshake: { moduleSideEffects: [{ test: /d3\/src\/index\.js$/, sideEffects: false }] } },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/data', '/refget'].map((path) => [path, 'http://127.0.0.1:8000'])),
  },
})
