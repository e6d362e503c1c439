import type { RouteTitle } from '../messages/routes.ts'
import { boundedCache } from './bounded-cache.ts'

/** An address of the portal: its title, whether the menu shows it, who may open it, and the tool that brings its page. */
export interface RouteEntry {
  /** Exact, in these letters; a slash at the end may be there or not. */
  path: string
  title: RouteTitle
  /** An entry of the main menu; all others are reached by links. */
  menu?: true
  /** Name in the access map; see access.ts. */
  access?: string
  /** Drawn without header and footer. */
  bare?: true
  /** A tool's: the page is the screen of the tool that has this route. */
  tool?: true
  /** A further page of a tool: `<page>-page.tsx` in the folder of the one whose route is `of`. */
  of?: string
  page?: string
}

/**
 * Every address of the portal specification, section 2, and those that the product adds for menu entries without one.
 * Anything else is the 404 page. Where a tool is not installed its address says so, and what the tool is for.
 */
export const routeTable: RouteEntry[] = [
  { path: '/user/login', title: 'login', bare: true },
  { path: '/home', title: 'home', menu: true },
  { path: '/document', title: 'document' },
  { path: '/document/:chapter', title: 'document' },
  { path: '/jbrowse/', title: 'jbrowse', menu: true, tool: true },
  { path: '/search', title: 'search', menu: true },
  { path: '/pathway', title: 'pathway', menu: true, tool: true },
  { path: '/tools', title: 'tools', menu: true },
  { path: '/tools/blast', title: 'blast', tool: true },
  { path: '/tools/sequencefetch', title: 'sequencefetch', tool: true },
  { path: '/tools/transposableelements', title: 'transposableelements', tool: true },
  { path: '/tools/transposableelements/te', title: 'te', of: '/tools/transposableelements', page: 'te' },
  { path: '/tools/transposableelements/te/info', title: 'teInfo', of: '/tools/transposableelements', page: 'te-info' },
  { path: '/tools/genesyntenyviewer', title: 'genesyntenyviewer', tool: true },
  { path: '/tools/genomesyntenyviewer', title: 'genomesyntenyviewer', tool: true },
  { path: '/tools/geneexpression', title: 'geneexpression', tool: true },
  { path: '/tools/SingleCellExpress', title: 'singlecellexpress', tool: true },
  { path: '/tools/HicSearch', title: 'hicsearch', tool: true },
  { path: '/hicDetail', title: 'hicDetail', of: '/tools/HicSearch', page: 'detail' },
  { path: '/tools/sequenceextraction', title: 'sequenceextraction', tool: true },
  { path: '/tools/GeneSearch', title: 'genesearch', tool: true },
  { path: '/tools/tree', title: 'tree', tool: true },
  { path: '/tools/Coexpression', title: 'coexpression', tool: true },
  { path: '/tools/enrichment', title: 'enrichment', tool: true },
  { path: '/tools/primerdesign', title: 'primerdesign', tool: true },
  { path: '/tools/homologs', title: 'homologs', tool: true },
  { path: '/tools/transcriptionfactors', title: 'transcriptionfactors', tool: true },
  { path: '/tools/motif', title: 'motif', tool: true },
  { path: '/tools/genemapping', title: 'genemapping', tool: true },
  { path: '/tools/ppi', title: 'ppi', tool: true },
  { path: '/tools/variation', title: 'variation', tool: true },
  { path: '/tools/phenotype', title: 'phenotype', tool: true },
  { path: '/tools/gwas', title: 'gwas', tool: true },
  { path: '/tools/selectivesweep', title: 'selectivesweep', tool: true },
  { path: '/pangenome', title: 'pangenome', tool: true },
  { path: '/pangenome/browser', title: 'pangenomebrowser', tool: true },
  { path: '/path/map', title: 'pathMap', of: '/pathway', page: 'map' },
  { path: '/references', title: 'references', tool: true },
  { path: '/download', title: 'download', menu: true },
  { path: '/contact', title: 'contact', menu: true },
  { path: '/notebook', title: 'notebook' },
  { path: '/gene', title: 'gene' },
  { path: '/map/gene', title: 'gene' },
  { path: '/reseq/gene', title: 'gene' },
  { path: '/detail', title: 'detail' },
  { path: '/info', title: 'info', access: 'canAdmin' },
  { path: '/users/register', title: 'register' },
  { path: '/users/register-result', title: 'registerResult' },
  { path: '/account/center', title: 'accountCenter', access: 'canUse' },
  { path: '/account/settings', title: 'accountSettings', access: 'canUse' },
  { path: '/disable', title: 'disable' },
  { path: '/exception', title: 'exception' },
  { path: '/xx', title: 'test' },
  { path: '/403', title: 'status403' },
  { path: '/404', title: 'status404' },
  { path: '/500', title: 'status500' },
]

/** Addresses that lead on to another one. */
export const redirects: Record<string, string> = { '/': '/home', '/index.html': '/home' }

export const menuRoutes = routeTable.filter((entry) => entry.menu === true)

const bare = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)
const byPath = new Map(routeTable.map((entry) => [bare(entry.path), entry]))
const found = boundedCache(
  (path) =>
    byPath.get(bare(path)) ?? byPath.get(bare(path).replace(/^\/document\/[^/]+$/, '/document/:chapter')) ?? null,
)

/** The entry of a path, or null where the portal has no page: `findRoute('/Home')` is null, `findRoute('/jbrowse')` is JBrowse. */
export const findRoute = (path: string): RouteEntry | null => found.get(path)

/** The entry of the main menu that leads to the tools. */
export const toolsPath = '/tools'

/**
 * The entry of the main menu that an address belongs to, by its path: a tool's pages to its own entry or to that of all tools. Null where
 * none leads there. `addedTools` are routes of tools that the table does not know.
 *
 * Example: of `/pangenome/browser` it is `/tools`, of `/path/map` it is `/pathway`.
 */
export const menuPathOf = (path: string, addedTools: readonly string[] = []): string | null => {
  const entry = findRoute(path)
  if (entry === null) return addedTools.includes(bare(path)) ? toolsPath : null
  if (entry.menu === true) return entry.path
  if (entry.of !== undefined) return menuPathOf(entry.of, addedTools)
  return entry.tool === true ? toolsPath : null
}

/**
 * The page that somebody may have meant by an address that is none: the same in other letters, or a tool without the folder before it.
 * `findNearRoute('/tools/genesearch')` is `/tools/GeneSearch`, `findNearRoute('/blast')` is `/tools/blast`.
 */
export const findNearRoute = (path: string): RouteEntry | null => {
  const typed = bare(path).toLowerCase()
  return (
    routeTable.find((entry) => bare(entry.path).toLowerCase() === typed) ??
    routeTable.find(
      (entry) => entry.tool === true && `/${entry.path.split('/').filter(Boolean).at(-1)}`.toLowerCase() === typed,
    ) ??
    null
  )
}
