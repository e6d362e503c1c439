import { boundedCache } from './bounded-cache.ts'
import type { RouteTitle } from './messages/routes.ts'

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
  /** The page comes from this tool's folder: its screen, or with `page` its `<page>-page.tsx`. */
  tool?: string
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
  { path: '/jbrowse/', title: 'jbrowse', menu: true, tool: 'jbrowse' },
  { path: '/search', title: 'search', menu: true },
  { path: '/pathway', title: 'pathway', menu: true, tool: 'pathway' },
  { path: '/tools', title: 'tools', menu: true },
  { path: '/tools/blast', title: 'blast', tool: 'blast' },
  { path: '/tools/sequencefetch', title: 'sequencefetch', tool: 'sequencefetch' },
  { path: '/tools/transposableelements', title: 'transposableelements', tool: 'transposableelements' },
  { path: '/tools/transposableelements/te', title: 'te', tool: 'transposableelements', page: 'te' },
  { path: '/tools/transposableelements/te/info', title: 'teInfo', tool: 'transposableelements', page: 'te-info' },
  { path: '/tools/genesyntenyviewer', title: 'genesyntenyviewer', tool: 'genesyntenyviewer' },
  { path: '/tools/genomesyntenyviewer', title: 'genomesyntenyviewer', tool: 'genomesyntenyviewer' },
  { path: '/tools/geneexpression', title: 'geneexpression', tool: 'geneexpression' },
  { path: '/tools/SingleCellExpress', title: 'singlecellexpress', tool: 'singlecellexpress' },
  { path: '/tools/HicSearch', title: 'hicsearch', tool: 'hicsearch' },
  { path: '/hicDetail', title: 'hicDetail', tool: 'hicsearch', page: 'detail' },
  { path: '/tools/sequenceextraction', title: 'sequenceextraction', tool: 'sequenceextraction' },
  { path: '/tools/GeneSearch', title: 'genesearch', tool: 'genesearch' },
  { path: '/tools/tree', title: 'tree', tool: 'tree' },
  { path: '/tools/Coexpression', title: 'coexpression', tool: 'coexpression' },
  { path: '/tools/enrichment', title: 'enrichment', tool: 'enrichment' },
  { path: '/tools/primerdesign', title: 'primerdesign', tool: 'primerdesign' },
  { path: '/tools/homologs', title: 'homologs', tool: 'homologs' },
  { path: '/tools/transcriptionfactors', title: 'transcriptionfactors', tool: 'transcriptionfactors' },
  { path: '/tools/motif', title: 'motif', tool: 'motif' },
  { path: '/tools/genemapping', title: 'genemapping', tool: 'genemapping' },
  { path: '/tools/ppi', title: 'ppi', tool: 'ppi' },
  { path: '/tools/variation', title: 'variation', tool: 'variation' },
  { path: '/tools/phenotype', title: 'phenotype', tool: 'phenotype' },
  { path: '/tools/gwas', title: 'gwas', tool: 'gwas' },
  { path: '/tools/selectivesweep', title: 'selectivesweep', tool: 'selectivesweep' },
  { path: '/pangenome', title: 'pangenome', tool: 'pangenome' },
  { path: '/pangenome/browser', title: 'pangenomebrowser', tool: 'pangenome', page: 'browser' },
  { path: '/path/map', title: 'pathMap', tool: 'pathway', page: 'map' },
  { path: '/references', title: 'references', tool: 'references' },
  { path: '/download', title: 'download', menu: true },
  { path: '/contact', title: 'contact', menu: true },
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
const found = boundedCache((path) => byPath.get(bare(path)) ?? null)

/** The entry of a path, or null where the portal has no page: `findRoute('/Home')` is null, `findRoute('/jbrowse')` is JBrowse. */
export const findRoute = (path: string): RouteEntry | null => found.get(path)
