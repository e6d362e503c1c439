import type { ReactNode } from 'react'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { RegionText } from '../../kit/ui/gene/region-text.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { type Format, useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { Design, Oligo, Pair } from './tool.ts'

const degrees = (format: Format, value: number | null): string =>
  value === null ? '–' : `${format.fixed(value, 1)} °C`

const Structures = ({ drawn }: { drawn: { name: string; text: string | null }[] | null }): ReactNode => {
  const t = useText(messages)
  if (drawn === null) return <p className="nv-quiet">{t('result.notDetailed')}</p>
  const found = drawn.filter((one) => one.text !== null)
  if (found.length === 0) return <p className="nv-quiet">{t('result.noStructures')}</p>
  return found.map((one) => (
    <details key={one.name}>
      <summary>{one.name}</summary>
      <pre className="primer-structure">{one.text}</pre>
    </details>
  ))
}

/** Everything primer3 says of a pair: each oligo with its values, and the structures that it drew. */
export const PairDetails = ({
  design,
  pair,
  actions,
}: {
  design: Design
  pair: Pair
  actions: ReactNode
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const sequence = design.blocks[0]?.sequence
  // primer3 gives 0 where it finds no structure.
  const melting = (value: number | null): string => (value === 0 ? t('value.none') : degrees(format, value))
  const block = (name: string, oligo: Oligo): ReactNode => (
    <section key={name}>
      <h3>{name}</h3>
      <p>
        <code className="primer-oligo-bases">{oligo.sequence}</code>
      </p>
      <Facts
        facts={[
          { name: t('value.length'), value: `${oligo.sequence.length} nt` },
          { name: t('value.tm'), value: degrees(format, oligo.tm) },
          { name: t('value.gc'), value: `${format.fixed(oligo.gcPercent, 1)} %` },
          {
            name: t('value.position'),
            value: <RegionText>{`${format.number(oligo.start)}..${format.number(oligo.end)}`}</RegionText>,
          },
          ...(sequence === undefined
            ? []
            : [
                {
                  name: t('value.locus'),
                  value: (
                    <RegionText>
                      {oligo.loci.map((locus) => regionOf(design.assembly, { sequence, ...locus })).join(' + ')}
                    </RegionText>
                  ),
                  wide: true,
                },
              ]),
          { name: t('value.selfAny'), value: melting(oligo.selfAny) },
          { name: t('value.selfEnd'), value: melting(oligo.selfEnd) },
          { name: t('value.hairpin'), value: melting(oligo.hairpin) },
          ...(oligo.endStability === null
            ? []
            : [{ name: t('value.endStability'), value: `${format.fixed(oligo.endStability, 2)} kcal/mol` }]),
          { name: t('value.penalty'), value: format.fixed(oligo.penalty, 3) },
          ...(oligo.problems === null ? [] : [{ name: t('value.problems'), value: oligo.problems, wide: true }]),
        ]}
      />
    </section>
  )
  const drawn = (name: string, oligo: Oligo) =>
    oligo.structures === null
      ? []
      : [
          { name: `${name}: ${t('value.selfAny')}`, text: oligo.structures.selfAny },
          { name: `${name}: ${t('value.selfEnd')}`, text: oligo.structures.selfEnd },
          { name: `${name}: ${t('value.hairpin')}`, text: oligo.structures.hairpin },
        ]
  return (
    <Card title={t('result.detail', { rank: pair.rank, name: design.symbol ?? design.name })} actions={actions}>
      <div className="primer-oligos">
        {block(t('oligo.left'), pair.left)}
        {block(t('oligo.right'), pair.right)}
        {pair.internal === null ? null : block(t('oligo.internal'), pair.internal)}
        <section>
          <h3>{t('legend.pair', { rank: pair.rank })}</h3>
          <Facts
            facts={[
              { name: t('column.product'), value: format.number(pair.productBp) },
              ...(pair.genomicBp === null || pair.genomicBp === pair.productBp
                ? []
                : [{ name: t('column.genomic'), value: format.number(pair.genomicBp) }]),
              { name: t('column.productTm'), value: degrees(format, pair.productTm) },
              { name: t('value.complAny'), value: melting(pair.complAny) },
              { name: t('value.complEnd'), value: melting(pair.complEnd) },
              { name: t('value.penalty'), value: format.fixed(pair.penalty, 3) },
            ]}
          />
          {pair.primerOnJunction ? <p className="nv-quiet">{t('result.onJunction')}</p> : null}
        </section>
      </div>
      <h3>{t('result.structures')}</h3>
      <Structures
        drawn={
          pair.structures === null
            ? null
            : [
                ...drawn(t('oligo.left'), pair.left),
                ...drawn(t('oligo.right'), pair.right),
                ...(pair.internal === null ? [] : drawn(t('oligo.internal'), pair.internal)),
                { name: t('value.complAny'), text: pair.structures.complAny },
                { name: t('value.complEnd'), text: pair.structures.complEnd },
              ]
        }
      />
    </Card>
  )
}
