import { SeededRandom } from './seeded-random.ts'

/** Samples of a simulated series: every condition in every replicate. */
export interface SimulatedSeries {
  /** Factor and its values. */
  factor: string
  levels: readonly string[]
  treatments: readonly string[]
  replicates: number
}

const normal = (random: SeededRandom): number => random.fraction() + random.fraction() + random.fraction() - 1.5

/**
 * TPM of genes over the samples of a series, as lines of a matrix and of its sample sheet. Genes of one module follow one course over
 * the conditions, on their own level; genes of module null follow none. Replicates differ by noise alone. The same in every run.
 */
export function simulateExpression(
  genes: readonly { id: string; module: string | null }[],
  { factor, levels, treatments, replicates }: SimulatedSeries,
  seed: number,
): { matrix: string[]; sheet: string[] } {
  const random = new SeededRandom(seed)
  const samples = levels.flatMap((level) =>
    treatments.flatMap((treatment) =>
      Array.from({ length: replicates }, (_, at) => ({ level, treatment, replicate: at + 1 })),
    ),
  )
  const names = samples.map(({ level, treatment, replicate }) =>
    `${level}_${treatment}_${replicate}`.replaceAll(' ', '-'),
  )
  const drawCourse = (): number[] => levels.flatMap(() => treatments.map(() => 2.4 * normal(random)))
  const courses = new Map<string, number[]>()
  const matrix = [['gene', ...names].join('\t')]
  for (const { id, module } of genes) {
    const height = 3 + 5 * random.fraction()
    let course = module === null ? undefined : courses.get(module)
    if (course === undefined) {
      course = drawCourse()
      if (module !== null) courses.set(module, course)
    }
    const values = samples.map((_, at) => {
      const logarithm = height + course[Math.floor(at / replicates)]! + 0.35 * normal(random)
      return Math.max(0, 2 ** logarithm - 1).toFixed(2)
    })
    matrix.push([id, ...values].join('\t'))
  }
  const sheet = [
    ['sample', factor, 'treatment', 'replicate'].join('\t'),
    ...samples.map(({ level, treatment, replicate }, at) => [names[at], level, treatment, replicate].join('\t')),
  ]
  return { matrix, sheet }
}

/** Organs of the drawing below. */
export const drawnOrgans = ['root', 'stem', 'leaf', 'flower', 'seed'] as const

/** A plant that does not exist, for the tissue picture: its areas have the organs' names. */
export const organPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 360">
  <title>Simulated organism</title>
  <rect x="0" y="270" width="320" height="90" fill="#efe7da"/>
  <g id="root" fill="#d9dedb" stroke="#4a5752" stroke-width="1.5">
    <path d="M152 270 C150 300 140 320 118 344 C146 330 154 316 158 300 C160 320 166 336 186 350 C172 326 170 300 168 270 Z"/>
  </g>
  <g id="stem" fill="#d9dedb" stroke="#4a5752" stroke-width="1.5">
    <path d="M153 270 L157 110 L163 110 L167 270 Z"/>
  </g>
  <g id="leaf" fill="#d9dedb" stroke="#4a5752" stroke-width="1.5">
    <path d="M158 220 C120 180 80 180 52 206 C90 226 126 232 158 220 Z"/>
    <path d="M162 180 C200 140 240 140 270 164 C232 188 196 194 162 180 Z"/>
  </g>
  <g id="flower" fill="#d9dedb" stroke="#4a5752" stroke-width="1.5">
    <ellipse cx="160" cy="60" rx="16" ry="30"/>
    <ellipse cx="124" cy="86" rx="16" ry="30" transform="rotate(-70 124 86)"/>
    <ellipse cx="196" cy="86" rx="16" ry="30" transform="rotate(70 196 86)"/>
    <ellipse cx="138" cy="116" rx="13" ry="22" transform="rotate(40 138 116)"/>
    <ellipse cx="182" cy="116" rx="13" ry="22" transform="rotate(-40 182 116)"/>
  </g>
  <g id="seed" fill="#d9dedb" stroke="#4a5752" stroke-width="1.5">
    <circle cx="160" cy="92" r="13"/>
  </g>
</svg>
`
