import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accessOf, isAccessible } from '../account/access.ts'
import { messages } from '../messages/routes.ts'
import { findNearRoute, findRoute, menuPathOf, menuRoutes, redirects, routeTable } from './route-table.ts'

/** The table of the portal specification, section 2, and the further addresses of the product. */
const specified = [
  '/user/login /home /document /jbrowse/ /search /pathway /tools /tools/blast /tools/sequencefetch',
  '/tools/transposableelements /tools/genesyntenyviewer /tools/geneexpression /tools/SingleCellExpress /tools/HicSearch',
  '/hicDetail /download /contact /gene /map/gene /reseq/gene /path/map /detail',
  '/tools/transposableelements/te/info /tools/transposableelements/te /tools/sequenceextraction /tools/GeneSearch',
  '/tools/tree /tools/Coexpression /info /users/register /users/register-result /disable /xx',
].flatMap((line) => line.split(' '))
const decided = [
  '/tools/enrichment /tools/genomesyntenyviewer /tools/primerdesign /tools/homologs /tools/transcriptionfactors',
  '/tools/motif /tools/genemapping /tools/ppi /tools/variation /tools/phenotype /tools/gwas /tools/selectivesweep',
  '/document/:chapter /pangenome /pangenome/browser /references /account/center /account/settings /notebook /exception /403 /404 /500',
].flatMap((line) => line.split(' '))

describe('the addresses of the portal', () => {
  it('are those of the specification and of the product, each once, and no others', () => {
    expect(routeTable.map((entry) => entry.path).sort()).toEqual([...specified, ...decided].sort())
  })

  it('count in their own letters: another case is another address', () => {
    expect(findRoute('/tools/GeneSearch')?.title).toBe('genesearch')
    expect(findRoute('/tools/genesearch')).toBeNull()
    expect(findRoute('/Home')).toBeNull()
    expect(findRoute('/home/more')).toBeNull()
    expect(findRoute('/jbrowse')?.title).toBe('jbrowse')
    expect(findRoute('/document/blast')?.title).toBe('document')
    expect(findRoute('/document/blast/more')).toBeNull()
  })

  it('that are none may be near to one: in other letters, or a tool without its folder', () => {
    expect(findNearRoute('/tools/genesearch')?.path).toBe('/tools/GeneSearch')
    expect(findNearRoute('/Home/')?.path).toBe('/home')
    expect(findNearRoute('/blast')?.path).toBe('/tools/blast')
    expect(findNearRoute('/no/such/page')).toBeNull()
  })

  it('lead from / and /index.html to /home', () => {
    expect(redirects).toEqual({ '/': '/home', '/index.html': '/home' })
  })

  it('show Home, JBrowse, Search, Pathway, Tools, Download and Contact in the menu, in that order, and hide the rest', () => {
    expect(menuRoutes.map((entry) => messages.en[`route.${entry.title}`])).toEqual([
      'Home',
      'JBrowse',
      'Search',
      'Pathway',
      'Tools',
      'Download',
      'Contact',
    ])
  })

  it('are marked in the menu: the pages of tools at their own entry or at Tools', () => {
    const toolRoutes = routeTable.filter(({ tool }) => tool === true).map(({ path }) => path)
    for (const path of toolRoutes) expect(['/tools', path], path).toContain(menuPathOf(path))
    expect(
      ['/pangenome', '/pangenome/browser', '/references', '/tools', '/hicDetail', '/tools/transposableelements/te'].map(
        (path) => menuPathOf(path),
      ),
    ).toEqual(Array(6).fill('/tools'))
    expect(menuPathOf('/path/map')).toBe('/pathway')
    expect(menuPathOf('/jbrowse')).toBe('/jbrowse/')
    expect(['/gene', '/notebook', '/no/such/page'].map((path) => menuPathOf(path))).toEqual([null, null, null])
    expect(menuPathOf('/tools/ours/', ['/tools/ours'])).toBe('/tools')
  })

  it('have titles in both languages', () => {
    for (const { title } of routeTable) {
      expect(messages.en[`route.${title}`], title).not.toBe('')
      expect(messages.zh[`route.${title}`], title).not.toBe('')
    }
    expect(
      (['login', 'register', 'registerResult', 'accountCenter', 'accountSettings'] as const).map(
        (title) => messages.en[`route.${title}`],
      ),
    ).toEqual(['Login', 'Register', 'Register Result', 'Account Center', 'Account Settings'])
    expect((['status403', 'status404', 'status500'] as const).map((title) => messages.en[`route.${title}`])).toEqual([
      '403',
      '404',
      '500',
    ])
  })

  it('leave the login page without the frame, and only that', () => {
    expect(routeTable.filter((entry) => entry.bare === true).map((entry) => entry.path)).toEqual(['/user/login'])
  })

  it('open /info to admin alone and the account to those who are signed in', () => {
    const visitor = accessOf({ username: '', access: 'visitor' })
    const user = accessOf({ username: 'li', access: 'user' })
    const admin = accessOf({ username: 'admin', access: 'admin' })
    const closed = (map: typeof user): string[] =>
      routeTable.filter((entry) => !isAccessible(map, entry)).map((entry) => entry.path)
    expect(closed(visitor)).toEqual(['/info', '/account/center', '/account/settings'])
    expect(closed(user)).toEqual(['/info'])
    expect(closed(admin)).toEqual([])
  })

  it('say what a tool is for in both languages, for every tool that an installation may lack', () => {
    for (const entry of routeTable.filter((one) => one.tool === true || one.of !== undefined)) {
      for (const table of [messages.en, messages.zh])
        expect(table[`absent.${entry.title}` as 'absent.blast'], entry.title).toBeTypeOf('string')
    }
  })

  const tools = join(import.meta.dirname, '../../tools')
  const folderOf = new Map(
    readdirSync(tools).flatMap((folder): [string, string][] => {
      const file = join(tools, folder, 'tool.ts')
      const route = existsSync(file) ? /^ {2}route: '([^']+)'/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined
      return route === undefined ? [] : [[route, folder]]
    }),
  )

  it('of tools are those that the tools say of themselves; one of a lab’s own has its address without standing here', () => {
    for (const { path } of routeTable.filter((entry) => entry.tool === true))
      expect([...folderOf.keys()], path).toContain(path)
    for (const [route, folder] of folderOf)
      expect(findRoute(route)?.tool === true || route === `/tools/${folder}`, folder).toBe(true)
  })

  it('of tools have a section of the Usage page with a picture of the example', () => {
    const without = routeTable
      .filter((entry) => entry.tool === true)
      .map((entry) => folderOf.get(entry.path)!)
      .filter((folder) => ['en', 'zh'].some((language) => !existsSync(join(tools, folder, `figure.${language}.webp`))))
    // Drawn by scripts/document-pictures.mjs, as the architecture's document tells.
    expect(without).toEqual([])
  })
})
