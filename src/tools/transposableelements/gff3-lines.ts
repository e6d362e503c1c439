import { escapeGff3Value } from '../../bio/annotation/feature.ts'
import { transposonClass } from '../../bio/repeats/transposon-classes.ts'
import type { Transposon, TransposonPart } from '../../bio/repeats/transposons.ts'

const partTypes: Record<TransposonPart['type'], string> = {
  LTR: 'long_terminal_repeat',
  TIR: 'terminal_inverted_repeat',
  TSD: 'target_site_duplication',
  PBS: 'primer_binding_site',
  PPT: 'RR_tract',
  domain: 'protein_match',
  fragment: 'transposon_fragment',
}

/** Terms of the Sequence Ontology for whole elements. */
const typeOf = (code: string, form: Transposon['form']): string => {
  if (form === 'solo') return 'solo_LTR'
  switch (transposonClass(code).order) {
    case 'LTR':
      return 'LTR_retrotransposon'
    case 'LINE':
      return 'LINE_element'
    case 'SINE':
      return 'SINE_element'
    case 'TIR':
      return 'terminal_inverted_repeat_element'
    case 'Helitron':
      return 'helitron'
    case 'Maverick':
      return 'polinton'
    case 'DIRS':
    case 'PLE':
    case 'retrotransposon':
      return 'retrotransposon'
    case 'Crypton':
    case 'transposon':
      return 'DNA_transposon'
    default:
      return 'transposable_element'
  }
}

type Written = Pick<
  Transposon,
  | 'family'
  | 'code'
  | 'sequenceName'
  | 'start1'
  | 'end1'
  | 'strand'
  | 'form'
  | 'divergence'
  | 'ltrIdentity'
  | 'source'
  | 'parts'
>

/** Lines of one element and its parts. */
export const elementLines = (id: string, element: Written): string[] => {
  const line = (
    type: string,
    one: { start1: number; end1: number; strand: string },
    score: string,
    attributes: string,
  ): string =>
    [
      element.sequenceName,
      element.source.replace(/\s/g, '_') || '.',
      type,
      one.start1,
      one.end1,
      score,
      one.strand === '+' || one.strand === '-' ? one.strand : '.',
      '.',
      attributes,
    ].join('\t')
  const about = [
    `ID=${escapeGff3Value(id)}`,
    `Name=${escapeGff3Value(element.family ?? id)}`,
    `Classification=${transposonClass(element.code).repeatMasker}`,
    `wicker=${element.code}`,
    `form=${element.form}`,
    ...(element.divergence === null ? [] : [`kimura=${element.divergence.toFixed(2)}`]),
    ...(element.ltrIdentity === null ? [] : [`ltr_similarity=${element.ltrIdentity.toFixed(2)}`]),
  ]
  return [
    line(typeOf(element.code, element.form), element, '.', about.join(';')),
    ...element.parts.map((part) =>
      line(
        partTypes[part.type],
        part,
        part.evalue === null ? '.' : String(part.evalue),
        [`Parent=${escapeGff3Value(id)}`, ...(part.name === null ? [] : [`Name=${escapeGff3Value(part.name)}`])].join(
          ';',
        ),
      ),
    ),
  ]
}

/** A GFF3 file of elements, ids as the portal has them. */
export function* elementGff3Lines(
  sequences: readonly { name: string; lengthBp: number }[],
  rows: Iterable<{ id: string; element: Written }>,
): Generator<string> {
  yield '##gff-version 3'
  for (const { name, lengthBp } of sequences) yield `##sequence-region ${name} 1 ${lengthBp}`
  for (const { id, element } of rows) yield* elementLines(id, element)
}
