import type { Plugin } from 'vite'

/** What titles, names of species and genes, and identifiers are written in; the others are asked for by whatever uses them. */
const first =
  /^assets\/roboto-(?:latin-(?:400|500|700)-normal|latin-(?:400|700)-italic|mono-latin-400-normal)-[^/]*\.woff2$/

/**
 * Has the browser ask for the fonts with the page. Without it they are asked for once text is drawn, which is drawn anew, and moved, when
 * they come.
 */
export const fontPlugin = (): Plugin => ({
  name: 'novodb-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => first.test(name))
        .map((name) => ({
          tag: 'link',
          injectTo: 'head' as const,
          // Fonts are fetched anonymously, also from this origin (CSS Fonts 4, section 4.10).
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${name}` },
        })),
  },
})
