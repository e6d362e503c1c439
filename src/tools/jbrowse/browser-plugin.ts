import type PluginManager from '@jbrowse/core/PluginManager'
import * as resultModule from '@jbrowse/core/TextSearch/BaseResults'
import { suggest } from '../../contracts/search.ts'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { addressOf, call } from '../../kit/ui/request.ts'
import { readTyped } from './address.ts'

/** Results that JBrowse's box lists. */
const maxResults = 12

export const searchAdapterType = 'NovoDbSearchAdapter'

const genePageFunction = 'novodbGenePage'

/** What JBrowse's details of a gene show besides its attributes: the way to its page in the portal. */
export const geneDetails = (assembly: string): object => ({
  feature: `jexl:feature.type=='gene'?{page:${genePageFunction}('${assembly}',feature)}:{}`,
})

interface SearchQuestion {
  queryString: string
  searchType?: 'full' | 'prefix' | 'exact'
}

interface ResultArguments {
  label: string
  displayString: string
  locString: string
  matchedAttribute: string
}

// The shapes of what JBrowse hands to plugins; its own modules are for its own build and are asked for by name.
interface CoreModules {
  '@jbrowse/core/configuration': {
    ConfigurationSchema: (name: string, slots: object, options: object) => unknown
  }
  '@jbrowse/core/pluggableElementTypes': { TextSearchAdapterType: new (about: object) => unknown }
  '@jbrowse/core/data_adapters/BaseAdapter': {
    BaseAdapter: new (
      ...parts: unknown[]
    ) => {
      getConf(name: string): unknown
    }
  }
}

type ResultClass = new (result: ResultArguments) => unknown

// A CommonJS module: its default export is, by bundler, the class or the module that holds it.
const inner = resultModule.default as unknown as ResultClass | { default: ResultClass }
const Result: ResultClass = typeof inner === 'function' ? inner : inner.default

/** What is used here of the model of JBrowse's linear view. */
interface LinearView {
  navToLocString(input: string, assembly?: string, grow?: number): Promise<unknown>
}
interface ViewElement {
  name: string
  stateModel: { actions(extend: (view: LinearView) => Partial<LinearView>): ViewElement['stateModel'] }
}

/**
 * Lets JBrowse's location box find what the portal's search finds: genes by id, symbol and alias; and read places as the portal does, from
 * right to left where they descend.
 */
export class PortalSearchPlugin {
  name = 'NovoDbSearchPlugin'

  install(pluginManager: PluginManager): void {
    const core = <Name extends keyof CoreModules>(name: Name): CoreModules[Name] =>
      pluginManager.jbrequire(name) as CoreModules[Name]
    // JBrowse cleans the markup of details before it draws them.
    pluginManager.jexl.addFunction(
      genePageFunction,
      (assembly: string, gene: { gene_id?: string; id?: string; name?: string }) => {
        // A part of a gene across an origin names the whole gene.
        const id = gene.gene_id ?? gene.id ?? gene.name ?? ''
        return `<a href="${addressOf(geneAddress(id, assembly))}">${id.replace(/[&<>"]/g, '')}</a>`
      },
    )
    pluginManager.addToExtensionPoint('Core-extendPluggableElement', (given) => {
      const element = given as ViewElement
      if (element.name === 'LinearGenomeView')
        element.stateModel = element.stateModel.actions((view) => {
          const { navToLocString } = view
          return {
            navToLocString: (input, assembly, grow) => navToLocString(readTyped(input), assembly, grow),
          }
        })
      return given
    })
    const { ConfigurationSchema } = core('@jbrowse/core/configuration')
    const { TextSearchAdapterType } = core('@jbrowse/core/pluggableElementTypes')
    const { BaseAdapter } = core('@jbrowse/core/data_adapters/BaseAdapter')

    class PortalSearchAdapter extends BaseAdapter {
      async searchIndex({ queryString, searchType }: SearchQuestion): Promise<unknown[]> {
        const [assembly] = this.getConf('assemblyNames') as string[]
        const wanted = queryString.trim().toLowerCase()
        if (wanted === '') return []
        const { entries } = await call(suggest, { q: queryString.trim().slice(0, 200), assembly, limit: maxResults })
        return entries.flatMap((entry) => {
          if (entry.sequence === null || entry.start === null || entry.end === null) return []
          const names = [entry.id, entry.label, entry.matched].map((name) => name.toLowerCase())
          if (searchType === 'exact' && !names.includes(wanted)) return []
          // JBrowse keeps only results whose shown text holds what was typed.
          const shown = [entry.label, entry.id, entry.matched]
            .filter((name, at) => names.indexOf(name.toLowerCase()) === at)
            .join(' · ')
          return [
            new Result({
              label: entry.label,
              displayString: entry.description === null ? shown : `${shown} – ${entry.description}`,
              locString: `${entry.sequence}:${entry.start}..${entry.end}`,
              matchedAttribute: 'name',
            }),
          ]
        })
      }

      freeResources(): void {
        // Nothing is held between searches.
      }
    }

    pluginManager.addTextSearchAdapterType(
      () =>
        new TextSearchAdapterType({
          name: searchAdapterType,
          displayName: 'Portal search',
          configSchema: ConfigurationSchema(
            searchAdapterType,
            { assemblyNames: { type: 'stringArray', defaultValue: [] } },
            { explicitlyTyped: true, explicitIdentifier: 'textSearchAdapterId' },
          ),
          AdapterClass: PortalSearchAdapter,
        }) as never,
    )
  }

  configure(): void {
    // Nothing to do after all plugins are there.
  }
}
