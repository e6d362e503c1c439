import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { XmlTextError } from '../text/xml.ts'
import { parsePathwayDrawing } from './pathway-drawings.ts'

const kgml = `<?xml version="1.0"?>
<!DOCTYPE pathway SYSTEM "x.dtd">
<pathway name="path:tst00010" org="tst" number="00010" title="Sugar burning">
 <entry id="1" name="tst:G1 tst:G2" type="gene" reaction="rn:R1"><graphics name="G1, G2..." type="rectangle" x="200" y="100" width="46" height="17"/></entry>
 <entry id="2" name="cpd:C1" type="compound"><graphics name="C1" type="circle" x="100" y="100" width="8" height="8"/></entry>
 <entry id="3" name="cpd:C2" type="compound"><graphics name="C2" type="circle" x="300" y="100" width="8" height="8"/></entry>
 <entry id="4" name="path:tst00020" type="map"><graphics name="TITLE:Another" type="roundrectangle" x="300" y="200" width="80" height="30"/></entry>
 <entry id="5" name="tst:G3" type="gene"><graphics name="G3" type="rectangle" x="200" y="300" width="46" height="17"/></entry>
 <entry id="6" name="tst:G4" type="gene"><graphics name="G4" type="line" coords="10,20,30,40"/></entry>
 <reaction id="1" name="rn:R1" type="reversible"><substrate id="2" name="cpd:C1"/><product id="3" name="cpd:C2"/></reaction>
 <relation entry1="5" entry2="1" type="PPrel"><subtype name="inhibition" value="--|"/></relation>
 <relation entry1="1" entry2="4" type="ECrel"><subtype name="compound" value="3"/></relation>
</pathway>`

test('KGML: genes, compounds and maps where they are drawn, reactions and relations from border to border', () => {
  const drawing = parsePathwayDrawing(kgml)
  expect(drawing).toMatchObject({ format: 'kgml', id: 'tst00010', name: 'Sugar burning', organism: 'tst' })
  expect(drawing.nodes.map(({ id, kind, label, names }) => [id, kind, label, names.join(' ')])).toEqual([
    ['1', 'gene', 'G1, G2…', 'tst:G1 tst:G2'],
    ['2', 'compound', 'C1', 'cpd:C1'],
    ['3', 'compound', 'C2', 'cpd:C2'],
    ['4', 'pathway', 'Another', 'path:tst00020'],
    ['5', 'gene', 'G3', 'tst:G3'],
  ])
  expect(drawing.edges).toEqual([
    {
      points: [
        [10, 20],
        [30, 40],
      ],
      arrow: 'none',
      backArrow: 'none',
      dashed: false,
    },
    {
      points: [
        [200, 291.5],
        [200, 108.5],
      ],
      arrow: 'inhibition',
      backArrow: 'none',
      dashed: false,
    },
    {
      points: [
        [177, 100],
        [104, 100],
      ],
      arrow: 'arrow',
      backArrow: 'none',
      dashed: false,
    },
    {
      points: [
        [223, 100],
        [296, 100],
      ],
      arrow: 'arrow',
      backArrow: 'none',
      dashed: false,
    },
  ])
  expect(drawing).toMatchObject({ width: 360, height: 328.5 })
})

const gpml2013 = `<Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="Two genes" Version="WP1_r2" Organism="Testus">
  <Comment Source="WikiPathways-description">What it does.</Comment>
  <Graphics BoardWidth="500" BoardHeight="400"/>
  <DataNode TextLabel="ABC1" GraphId="a1" Type="GeneProduct"><Graphics CenterX="100" CenterY="50" Width="60" Height="20"/><Xref Database="Ensembl" ID="G1"/></DataNode>
  <DataNode TextLabel="sugar" GraphId="a2" Type="Metabolite"><Graphics CenterX="100" CenterY="150" Width="60" Height="20"/><Xref Database="" ID=""/></DataNode>
  <Interaction><Graphics ConnectorType="Elbow" LineStyle="Broken"><Point X="100" Y="60" GraphRef="a1"/><Point X="140" Y="140" GraphRef="a2" ArrowHead="mim-inhibition"/></Graphics></Interaction>
  <Label TextLabel="Cytosol"><Graphics CenterX="250" CenterY="20" Width="80" Height="20"/></Label>
  <Shape GraphId="s"><Graphics CenterX="200" CenterY="200" Width="300" Height="300" ShapeType="RoundedRectangle"/></Shape>
</Pathway>`

const gpml2021 = `<Pathway xmlns="http://pathvisio.org/GPML/2021" title="Two genes" organism="Testus">
  <Xref identifier="WP1" dataSource="WikiPathways"/>
  <Description>What it does.</Description>
  <Graphics boardWidth="500" boardHeight="400"/>
  <DataNodes>
    <DataNode elementId="a1" textLabel="ABC1" type="Protein"><Xref identifier="G1" dataSource="Ensembl"/><Graphics centerX="100" centerY="50" width="60" height="20" shapeType="Rectangle"/></DataNode>
    <DataNode elementId="a2" textLabel="sugar" type="Metabolite"><Graphics centerX="100" centerY="150" width="60" height="20"/></DataNode>
  </DataNodes>
  <Interactions><Interaction elementId="i"><Waypoints><Point x="100" y="60" elementRef="a1" arrowHead="Undirected"/><Point x="140" y="140" elementRef="a2" arrowHead="Inhibition"/></Waypoints><Graphics connectorType="Elbow" lineStyle="Dashed"/></Interaction></Interactions>
  <Labels><Label elementId="l" textLabel="Cytosol"><Graphics centerX="250" centerY="20" width="80" height="20"/></Label></Labels>
  <Shapes><Shape elementId="s"><Graphics centerX="200" centerY="200" width="300" height="300" shapeType="RoundedRectangle"/></Shape></Shapes>
</Pathway>`

test.each([
  ['2013', gpml2013],
  ['2021', gpml2021],
])('GPML of %s: the same pathway in the letters of each', (_, text) => {
  const drawing = parsePathwayDrawing(text)
  expect(drawing).toMatchObject({
    format: 'gpml',
    id: 'WP1',
    name: 'Two genes',
    organism: 'Testus',
    description: 'What it does.',
    width: 500,
    height: 400,
  })
  expect(drawing.nodes.map(({ kind, label, names, round }) => [kind, label, names.join(' '), round])).toEqual([
    ['shape', '', '', true],
    ['gene', 'ABC1', 'G1 ABC1', false],
    ['compound', 'sugar', '', false],
    ['label', 'Cytosol', '', false],
  ])
  expect(drawing.edges).toEqual([
    {
      points: [
        [100, 60],
        [100, 100],
        [140, 100],
        [140, 140],
      ],
      arrow: 'inhibition',
      backArrow: 'none',
      dashed: true,
    },
  ])
})

test.each(['<html/>', '<pathway/>', '<pathway>', 'gene\tterm'])('what is no pathway is refused: %j', (text) => {
  expect(() => parsePathwayDrawing(text)).toThrow(XmlTextError)
})

describe.skipIf(!hasRealData)('maps of KEGG, as the lab would load its own', () => {
  test.each([
    ['ko00010', 'Glycolysis / Gluconeogenesis'],
    ['ko03070', 'Bacterial secretion system'],
  ])('%s', (id, name) => {
    const text = gunzipSync(readFileSync(`${realData}/formats/pathway/${id}.xml.gz`)).toString('utf8')
    const drawing = parsePathwayDrawing(text)
    expect(drawing).toMatchObject({ id, name, organism: 'ko' })
    // Every entry that has a place is drawn.
    const placed = text.match(/<graphics[^>]*\sx="/g)!.length
    expect(drawing.nodes).toHaveLength(placed)
    for (const { x, y, width, height } of drawing.nodes) {
      expect(x + width / 2).toBeLessThanOrEqual(drawing.width)
      expect(y + height / 2).toBeLessThanOrEqual(drawing.height)
    }
    expect(
      drawing.nodes
        .filter(({ kind }) => kind === 'gene')
        .every(({ names }) => names.every((one) => /^ko:K\d{5}$/.test(one))),
    ).toBe(true)
  })
})
