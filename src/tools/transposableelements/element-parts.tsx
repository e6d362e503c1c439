import type { ReactNode } from 'react'
import { insertionYears } from '../../bio/alignment/substitutions.ts'
import {
  type TransposonOrder,
  transposonClass,
  transposonName,
  transposonOrders,
} from '../../bio/repeats/transposon-classes.ts'
import type { Language } from '../../contracts/text.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Field, TextInput } from '../../kit/ui/controls/field.tsx'
import { categoryColour, otherColour } from '../../kit/ui/figures/palette.ts'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { ToolPages } from '../../kit/ui/tool/tool-pages.tsx'
import messages from './messages.ts'
import tool, { riceRate } from './tool.ts'

/** One colour for an order in every figure: the table's order decides, so that LTR elements are blue everywhere. */
const colourOrder: TransposonOrder[] = [
  ...['LTR', 'TIR', 'LINE', 'SINE', 'Helitron', 'DIRS', 'PLE', 'Maverick'],
  ...['unknown', 'Crypton', 'retrotransposon', 'transposon'],
] as TransposonOrder[]
export const orderColour = (order: string): string =>
  order === 'unknown' ? otherColour : categoryColour(colourOrder.indexOf(order as TransposonOrder))
/** Places in the palette that the colours of these orders have. */
export const orderPlaces = (orders: Iterable<string>): number[] =>
  [...orders].filter((order) => order !== 'unknown').map((order) => colourOrder.indexOf(order as TransposonOrder))
export const sortOrders = (orders: Iterable<string>): string[] =>
  [...orders].sort(
    (a, b) => transposonOrders.indexOf(a as TransposonOrder) - transposonOrders.indexOf(b as TransposonOrder),
  )

export const infoAddress = (id: string, assembly: string): string =>
  `${tool.route}/te/info?${new URLSearchParams({ assembly, id })}`
export const browseAddress = (values: Record<string, string>): string =>
  `${tool.route}/te?${new URLSearchParams(values)}`

/** Wicker's code with its full name, for legends. */
export const codeLabel = (code: string, language: Language): string => `${code} ${transposonName(code, language)}`

/** Wicker's code with its full name on hover. */
export const CodeName = ({ code, full = false }: { code: string; full?: boolean }): ReactNode => {
  const language = useLanguage()
  const name = transposonName(code, language)
  return (
    <span className="te-code" title={`${name} · ${transposonClass(code).repeatMasker}`}>
      <code>{code}</code>
      {full ? ` ${name}` : null}
    </span>
  )
}

/** Millions of years, in three figures; null where nothing is told, or there is no rate to tell it by. */
export const ageMy = (ltrDivergence: number | null, rate: number | null): number | null =>
  ltrDivergence === null || rate === null
    ? null
    : Number((insertionYears(ltrDivergence / 100, rate) / 1e6).toPrecision(3))

const readRate = (text: string | null): number | null => {
  const rate = Number(text ?? '')
  return text !== null && text.trim() !== '' && rate > 0 && rate <= 1e-3 ? rate : null
}

/** The rate by which ages are told: of the address, else as the administrator states it; null where neither is there, and no age is told. */
export const useRate = (stated: number | null): number | null => {
  const [query] = useAddressValues()
  return readRate(query.get('view.rate')) ?? stated
}

/** The rate as a box, and in words which is used and where it comes from; kept in the address. */
export const RateField = ({ stated }: { stated: number | null }): ReactNode => {
  const t = useText(messages)
  const [query, change] = useAddressValues()
  const typed = query.get('view.rate')
  const wrong = typed !== null && typed.trim() !== '' && readRate(typed) === null
  const rate = useRate(stated)
  const source = rate === null ? 'none' : readRate(typed) === null ? 'stated' : rate === riceRate ? 'rice' : 'typed'
  return (
    <div className="te-rate">
      <Field label={t('rate.label')} problems={wrong ? [t('rate.wrong')] : []}>
        {(control) => (
          <TextInput
            {...control}
            inputMode="decimal"
            value={typed ?? stated?.toExponential() ?? ''}
            onChange={(event) => change({ 'view.rate': event.target.value }, true)}
          />
        )}
      </Field>
      {rate === riceRate ? null : (
        <Button size="small" onClick={() => change({ 'view.rate': riceRate.toExponential() }, true)}>
          {t('rate.useRice', { rate: riceRate.toExponential() })}
        </Button>
      )}
      <p className="nv-quiet">{t('rate.source', { source, rate: rate?.toExponential() ?? '' })}</p>
    </div>
  )
}

/** The tool's pages, under the title of each of them. */
export const TransposonNav = ({
  now,
  assembly,
}: {
  now: 'overview' | 'browse' | 'genes'
  assembly?: string
}): ReactNode => {
  const t = useText(messages)
  const own: Record<string, string> = assembly === undefined || assembly === '' ? {} : { assembly }
  const pages = [
    { key: 'overview', to: `${tool.route}?${new URLSearchParams(own)}`, title: t('nav.overview') },
    { key: 'browse', to: browseAddress(own), title: t('nav.browse') },
    {
      key: 'genes',
      to: `${tool.route}?${new URLSearchParams({ task: 'genes', ...own })}`,
      title: t('nav.genes'),
    },
  ]
  return <ToolPages label={t('nav.label')} pages={pages} now={now} />
}
