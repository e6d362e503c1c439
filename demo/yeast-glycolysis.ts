// Glycolysis and alcoholic fermentation of budding yeast as a drawing of our own, in GPML 2021: every enzyme by its gene. Textbook
// biochemistry; genes as in the Saccharomyces Genome Database.

interface Step {
  /** What is made of the metabolite before. */
  product: string
  genes: string[]
  /** Genes of the way back. */
  back?: string[]
  reversible?: true
}

const first = 'Glucose'
const steps: readonly Step[] = [
  { product: 'Glucose 6-phosphate', genes: ['HXK1', 'HXK2', 'GLK1'] },
  { product: 'Fructose 6-phosphate', genes: ['PGI1'], reversible: true },
  { product: 'Fructose 1,6-bisphosphate', genes: ['PFK1', 'PFK2'], back: ['FBP1'] },
  { product: 'Glyceraldehyde 3-phosphate', genes: ['FBA1', 'TPI1'], reversible: true },
  { product: '1,3-Bisphosphoglycerate', genes: ['TDH1', 'TDH2', 'TDH3'], reversible: true },
  { product: '3-Phosphoglycerate', genes: ['PGK1'], reversible: true },
  { product: '2-Phosphoglycerate', genes: ['GPM1'], reversible: true },
  { product: 'Phosphoenolpyruvate', genes: ['ENO1', 'ENO2'], reversible: true },
  { product: 'Pyruvate', genes: ['CDC19', 'PYK2'] },
  { product: 'Acetaldehyde', genes: ['PDC1', 'PDC5', 'PDC6'] },
  { product: 'Ethanol', genes: ['ADH1', 'ADH2', 'ADH3', 'ADH4', 'ADH5'], reversible: true },
]

const glycolysisId = 'yeast-glycolysis'
export const glycolysisFile = `${glycolysisId}.gpml`

const centre = 330
const stepHeight = 92
const geneWidth = 62
const geneHeight = 22

/** The drawing as a GPML file; its genes are named by their symbols. */
export const renderGlycolysis = (): string => {
  const nodes: string[] = []
  const lines: string[] = []
  const node = (id: string, label: string, type: string, x: number, y: number, width: number): void => {
    nodes.push(
      `    <DataNode elementId="${id}" textLabel="${label}" type="${type}"><Graphics centerX="${x}" centerY="${y}" width="${width}" height="${geneHeight}" shapeType="${type === 'Metabolite' ? 'RoundedRectangle' : 'Rectangle'}"/></DataNode>`,
    )
  }
  const line = (id: string, from: [number, number, string], to: [number, number, string]): void => {
    const point = (at: string, [x, y, arrow]: [number, number, string]): string =>
      `<Point elementId="${id}${at}" x="${x}" y="${y}" arrowHead="${arrow}"/>`
    lines.push(
      `    <Interaction elementId="${id}"><Waypoints>${point('a', from)}${point('b', to)}</Waypoints><Graphics lineColor="000000"/></Interaction>`,
    )
  }
  const genes = (names: readonly string[], left: number, y: number): void => {
    for (const [at, name] of names.entries())
      node(`g-${name}`, name, 'GeneProduct', left + (at + 0.5) * (geneWidth + 6), y, geneWidth)
  }
  node('m0', first, 'Metabolite', centre, 40, 190)
  for (const [at, { product, genes: forward, back, reversible }] of steps.entries()) {
    const top = 40 + at * stepHeight
    const bottom = top + stepHeight
    node(`m${at + 1}`, product, 'Metabolite', centre, bottom, 190)
    const [from, to] = [top + geneHeight / 2, bottom - geneHeight / 2]
    const x = back === undefined ? centre : centre + 12
    line(`i${at}`, [x, from, reversible === true ? 'Conversion' : 'Undirected'], [x, to, 'Conversion'])
    genes(forward, centre + 24, (from + to) / 2)
    if (back === undefined) continue
    line(`b${at}`, [centre - 12, to, 'Undirected'], [centre - 12, from, 'Conversion'])
    genes(back, centre - 24 - back.length * (geneWidth + 6), (from + to) / 2)
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Pathway xmlns="http://pathvisio.org/GPML/2021" title="Glycolysis and alcoholic fermentation" organism="Saccharomyces cerevisiae">',
    `  <Xref identifier="${glycolysisId}" dataSource="NovoDB"/>`,
    '  <Description>From glucose to pyruvate and on to ethanol, with the enzymes of budding yeast by their genes.</Description>',
    `  <Graphics boardWidth="720" boardHeight="${80 + steps.length * stepHeight}"/>`,
    '  <DataNodes>',
    ...nodes,
    '  </DataNodes>',
    '  <Interactions>',
    ...lines,
    '  </Interactions>',
    '</Pathway>',
    '',
  ].join('\n')
}
