import { relative, sep } from 'node:path'
import { Document, isMap, isPair, isScalar, isSeq, type Node, type Pair, type Scalar, visit, YAMLMap } from 'yaml'
import type { DefectLanguage } from '../../bio/text/defects.ts'
import type { AssemblyPlan, SpeciesPlan } from './compose.ts'
import { isArchiveName } from './names.ts'
import type { InputFile, InputFolder, SequenceFacts, Text } from './recogniser.ts'

const isPlace = (value: unknown): value is InputFile | InputFolder =>
  value !== null && typeof value === 'object' && 'absolute' in value

/** Files and folders in the value of an entry by their paths in the manifest. */
export const withPaths = (value: unknown, pathOf: (place: InputFolder) => string): unknown => {
  if (isPlace(value)) return pathOf(value)
  if (Array.isArray(value)) return value.map((one) => withPaths(one, pathOf))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPaths(one, pathOf)]))
}

/** The path by which a manifest in `folder` names a place: what lies elsewhere altogether is named by its whole path. */
export const pathFrom =
  (folder: string) =>
  ({ absolute }: InputFolder): string => {
    const path = relative(folder, absolute)
    return path.startsWith('../../../') ? absolute : path.split(sep).join('/')
  }

export const oneOrList = <T>(values: readonly T[]): T | readonly T[] => (values.length === 1 ? values[0]! : values)

const sequenceEntry = ({ name, aliases, circular, geneticCode, role }: SequenceFacts): Record<string, unknown> => ({
  name,
  ...(aliases !== undefined && aliases.length > 0 ? { aliases } : {}),
  ...(role !== undefined && role !== 'chromosome' ? { role } : {}),
  ...(circular === true ? { circular } : {}),
  ...(geneticCode !== undefined ? { geneticCode } : {}),
})

const assemblyEntry = (plan: AssemblyPlan, pathOf: (place: InputFolder) => string): Record<string, unknown> => {
  const { facts } = plan
  const genome = 'from' in plan.genome ? plan.genome.fileName : oneOrList(plan.genome.map(pathOf))
  return {
    id: plan.id,
    // The accession tells it too; the strain tells a reader more.
    ...(facts.name === undefined ||
    facts.name === plan.id ||
    (isArchiveName(facts.name) && facts.strain !== undefined && facts.accession !== undefined)
      ? {}
      : { name: facts.name }),
    ...(facts.strain === undefined || facts.strain === plan.id ? {} : { strain: facts.strain }),
    ...(facts.accession === undefined ? {} : { accession: facts.accession }),
    ...(facts.reference === true ? { reference: true } : {}),
    ...(facts.source === undefined
      ? {}
      : { source: facts.source.en === facts.source.zh ? facts.source.en : facts.source }),
    ...(plan.geneticCode === null ? {} : { geneticCode: plan.geneticCode }),
    genome,
    ...(plan.genes.length === 0 ? {} : { genes: oneOrList(plan.genes.map(pathOf)) }),
    ...(plan.proteins === null ? {} : { proteins: pathOf(plan.proteins) }),
    ...(plan.sequences.length === 0 ? {} : { sequences: plan.sequences.map(sequenceEntry) }),
    ...Object.fromEntries([...plan.entries].map(([key, value]) => [key, withPaths(value, pathOf)])),
  }
}

const words = {
  en: {
    head: (command: string) =>
      ` Written by ${command} from what the files say; edit it as you like, then: novodb load FOLDER\n Every entry is explained in docs/data-formats.en.md.`,
    check: 'CHECK: ',
  },
  zh: {
    head: (command: string) =>
      ` 由 ${command} 根据文件内容写成；可自行修改，然后运行：novodb load 文件夹\n 各条目的说明见 docs/data-formats.zh.md。`,
    check: '请核对：',
  },
} as const

/** The comment that marks a place for a person. */
export const marksOf = (remark: Text, language: DefectLanguage): string =>
  ` ${words[language].check}${remark[language]}`

/** Whether a manifest has lines that wait for a person; whoever has checked them takes the mark away. */
export const hasMarks = (text: string): boolean => /^\s*# (CHECK|请核对)[:：]/m.test(text)

/** Lists and maps of one line each, as a person writes sequences and tracks. */
export const maxFlowWidth = 110

/**
 * The text of species.yaml: entries as a person would order them, short ones on one line, and a comment at each place where a person
 * should look.
 */
export const renderManifest = (plan: SpeciesPlan, folder: string, language: DefectLanguage): string => {
  const pathOf = pathFrom(folder)
  const text = words[language]
  const document = new Document({
    novodb: 1,
    species: plan.id,
    name: plan.name,
    ...(plan.commonName === null ? {} : { commonName: plan.commonName }),
    ...(plan.taxonId === null ? {} : { taxonId: plan.taxonId }),
    ...(plan.geneticCode === null ? {} : { geneticCode: plan.geneticCode }),
    ...Object.fromEntries([...plan.entries].map(([key, value]) => [key, withPaths(value, pathOf)])),
    assemblies: plan.assemblies.map((assembly) => assemblyEntry(assembly, pathOf)),
  })
  document.commentBefore = text.head('novodb import')
  visit(document, {
    Map: (_key, node, path) => {
      const parent = path.at(-1)
      // Items of lists, but for the assemblies themselves.
      const isItem = isSeq(parent) && !node.has('genome')
      const isInner = isPair(parent) && path.length > 4
      if ((isItem || isInner) && JSON.stringify(node.toJSON()).length < maxFlowWidth) node.flow = true
    },
    Seq: (_key, node) => {
      if (node.items.every((item) => isScalar(item)) && JSON.stringify(node.toJSON()).length < maxFlowWidth)
        node.flow = true
    },
  })
  for (const [path, remark] of plan.remarks) {
    const note = marksOf(remark, language)
    const node = findPlace(document, path)
    if (node !== null) node.commentBefore = note
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

/** The node before which a remark of a path stands: the key of the entry, or the item of a list that has the name. */
const findPlace = (document: Document, path: string): Node | null => {
  let at: unknown = document.contents
  let place: Node | null = null
  let rest = path
  while (rest !== '') {
    if (at instanceof YAMLMap) {
      const pair = (at.items as Pair[]).find((item) => {
        const key = String((item.key as Scalar).value)
        return rest === key || rest.startsWith(`${key}.`)
      })
      if (pair === undefined) return place
      place = pair.key as Scalar
      rest = rest.slice(String((pair.key as Scalar).value).length + 1)
      at = pair.value
    } else if (isSeq(at)) {
      const number = /^(\d+)(?:\.|$)/.exec(rest)
      const named = at.items.find((item) => isMap(item) && (item.get('name') === rest || item.get('id') === rest))
      if (named !== undefined) return named as Node
      if (number === null) return place
      at = at.items[Number(number[1])]
      if (isMap(at)) place = at
      rest = rest.slice(number[0].length)
    } else return place
  }
  return place
}
