// Headers of VCF files. Source: VCF 4.3 and 4.5 specifications (hts-specs), sections 1.4 and 1.5.

import type { DefectLog } from '../text/defects.ts'
import { variantDefects } from './variant-defects.ts'

/**
 * Reads a structured header line into its keys, quotes and escapes resolved; null when it is not of that form.
 *
 * Example: `parseVcfMetaLine('##INFO=<ID=DP,Description="a, \\"b\\"">')` is `{key: 'INFO', fields: {ID: 'DP', Description:
 * 'a, "b"'}}`.
 */
export function parseVcfMetaLine(line: string): { key: string; fields: Record<string, string> } | null {
  const match = /^##([^=]+)=<(.*)>\s*$/.exec(line)
  if (!match) return null
  const fields: Record<string, string> = {}
  const body = match[2]!
  let position = 0
  while (position < body.length) {
    const name = /^\s*([^=,"<>]+)=/.exec(body.slice(position))
    if (!name) return null
    position += name[0].length
    let value = ''
    if (body[position] === '"') {
      position++
      while (position < body.length && body[position] !== '"') {
        if (body[position] === '\\' && position + 1 < body.length) position++
        value += body[position++]
      }
      if (body[position] !== '"') return null
      position++
    } else {
      // Brackets hold lists: Values=[a, b].
      const plain = /^(\[[^\]]*\]|[^,]*)/.exec(body.slice(position))![0]
      value = plain.trim()
      position += plain.length
    }
    fields[name[1]!.trim()] = value
    if (body[position] !== undefined && body[position] !== ',') return null
    position++
  }
  return { key: match[1]!, fields }
}

const fixedColumns = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO']
const knownVersions = new Set(['4.0', '4.1', '4.2', '4.3', '4.4', '4.5'])

/**
 * Reads the header lines of a VCF, those before the first record, and reports to `log` what is wrong with the version, the column
 * line and its samples. Resolves to the lengths of contigs where the header gives them.
 *
 * Example: of `['##fileformat=VCFv4.2', '##contig=<ID=chrI,length=230218>']` it is `Map {'chrI' => 230218}`, and `log` has the
 * error `vcf-no-column-line`.
 */
export function readVcfHeader(lines: readonly string[], file: string, log: DefectLog): Map<string, number> {
  const contigs = new Map<string, number>()
  const version = /^##fileformat=VCFv(\d+\.\d+)/.exec(lines[0] ?? '')?.[1]
  if (version === undefined) log.report(variantDefects, 'vcf-no-fileformat', file, 1)
  else if (!knownVersions.has(version)) log.report(variantDefects, 'vcf-version', file, 1, { version })
  for (const line of lines) {
    if (!line.startsWith('##contig=')) continue
    const { ID: id, length } = parseVcfMetaLine(line)?.fields ?? {}
    if (id !== undefined && length !== undefined && /^\d{1,15}$/.test(length)) contigs.set(id, Number(length))
  }
  const index = lines.findIndex((line) => line.startsWith('#CHROM'))
  if (index < 0) log.report(variantDefects, 'vcf-no-column-line', file, null)
  else checkColumnLine(lines[index]!.split('\t'), file, index + 1, log)
  return contigs
}

function checkColumnLine(columns: readonly string[], file: string, lineNumber: number, log: DefectLog): void {
  const expectedColumns = columns.length > fixedColumns.length ? [...fixedColumns, 'FORMAT'] : fixedColumns
  for (const [index, expected] of expectedColumns.entries()) {
    if (columns[index] === expected) continue
    log.report(variantDefects, 'vcf-bad-column-line', file, lineNumber, {
      column: index + 1,
      value: columns[index] ?? '',
      expected,
    })
    return
  }
  const seen = new Set<string>()
  for (const sample of columns.slice(9)) {
    if (seen.has(sample)) log.report(variantDefects, 'vcf-duplicate-sample', file, lineNumber, { sample })
    seen.add(sample)
  }
}
