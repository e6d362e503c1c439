// Mol* in an element of the page: the only module that imports it, itself loaded when a structure is shown.

import { StructureElement, StructureProperties, StructureSelection } from 'molstar/lib/mol-model/structure'
import { PluginBehaviors } from 'molstar/lib/mol-plugin/behavior'
import { PluginContext } from 'molstar/lib/mol-plugin/context'
import { DefaultPluginSpec, PluginSpec } from 'molstar/lib/mol-plugin/spec'
import { Script } from 'molstar/lib/mol-script/script'
import type { ColorTheme } from 'molstar/lib/mol-theme/color'
import { ColorThemeCategory } from 'molstar/lib/mol-theme/color/categories'
import { Color } from 'molstar/lib/mol-util/color'
import { ParamDefinition } from 'molstar/lib/mol-util/param-definition'

export interface CanvasResidue {
  chain: string
  /** As the chain numbers it. */
  number: number
}

/** Colour of a residue as #rrggbb; `confidence` is its B-factor. */
export type ResidueColour = (residue: CanvasResidue, confidence: number) => string

export interface StructureCanvas {
  colour(of: ResidueColour): Promise<void>
  /** Marks residues and turns to them; none to let go. */
  select(ranges: readonly { chain: string; from: number; to: number }[]): void
  background(colour: string): void
  turn(degrees: number): void
  zoom(factor: number): void
  reset(): void
  /** The picture as a data address of a PNG. */
  picture(): Promise<string | null>
  dispose(): void
}

const themeName = 'portal-residues'
const colourNumber = (hex: string): Color => Color(Number.parseInt(hex.slice(1, 7), 16))

/** Rejects with an Error where the browser has no WebGL, or the file cannot be shown. */
export const openStructureCanvas = async (
  host: HTMLDivElement,
  options: {
    text: string
    format: 'mmcif' | 'pdb'
    background: string
    colour: ResidueColour
    onResidue(residue: CanvasResidue | null, how: 'pointed' | 'pressed'): void
  },
): Promise<StructureCanvas> => {
  const spec = DefaultPluginSpec()
  const plugin = new PluginContext({
    ...spec,
    behaviors: [
      PluginSpec.Behavior(PluginBehaviors.Representation.HighlightLoci),
      PluginSpec.Behavior(PluginBehaviors.Representation.SelectLoci),
    ],
  })
  await plugin.init()
  const canvas = document.createElement('canvas')
  host.append(canvas)
  if (!plugin.initViewer(canvas, host)) {
    plugin.dispose()
    canvas.remove()
    throw new Error('no WebGL')
  }
  let colourOf = options.colour
  const location = (at: unknown): { residue: CanvasResidue; confidence: number } | null => {
    if (!StructureElement.Location.is(at)) return null
    const residue = {
      chain: StructureProperties.chain.auth_asym_id(at),
      number: StructureProperties.residue.auth_seq_id(at),
    }
    return { residue, confidence: StructureProperties.atom.B_iso_or_equiv(at) }
  }
  const other = Color(0x999999)
  // Its parameter only says that colours are others than before: Mol* keeps what has the same parameters.
  const parameters = { turn: ParamDefinition.Numeric(0) }
  const theme: ColorTheme.Provider<typeof parameters, typeof themeName> = {
    name: themeName,
    label: themeName,
    category: ColorThemeCategory.Residue,
    factory: (_, props) => ({
      factory: theme.factory,
      granularity: 'group',
      color: (at) => {
        const found = location(at)
        return found === null ? other : colourNumber(colourOf(found.residue, found.confidence))
      },
      props,
      description: themeName,
    }),
    getParams: () => parameters,
    defaultValues: { turn: 0 },
    isApplicable: () => true,
  } as ColorTheme.Provider<typeof parameters, typeof themeName>
  plugin.representation.structure.themes.colorThemeRegistry.add(theme)
  const background = (colour: string): void =>
    plugin.canvas3d?.setProps({ renderer: { backgroundColor: colourNumber(colour) } })
  background(options.background)
  plugin.canvas3d?.setProps({ camera: { helper: { axes: { name: 'off', params: {} } } } })
  try {
    const data = await plugin.builders.data.rawData({ data: options.text })
    const trajectory = await plugin.builders.structure.parseTrajectory(data, options.format)
    const model = await plugin.builders.structure.createModel(trajectory)
    // As deposited: a biological assembly would show a chain several times over.
    const structure = await plugin.builders.structure.createStructure(model, { name: 'model', params: {} })
    const polymer = await plugin.builders.structure.tryCreateComponentStatic(structure, 'polymer')
    const ligand = await plugin.builders.structure.tryCreateComponentStatic(structure, 'ligand')
    const color = themeName as 'uniform'
    if (polymer !== undefined)
      await plugin.builders.structure.representation.addRepresentation(polymer, { type: 'cartoon', color })
    if (ligand !== undefined)
      await plugin.builders.structure.representation.addRepresentation(ligand, { type: 'ball-and-stick' })
  } catch (error) {
    plugin.dispose()
    canvas.remove()
    throw error
  }
  const residueOf = (loci: unknown): CanvasResidue | null => {
    if (!StructureElement.Loci.is(loci as never)) return null
    const first = StructureElement.Loci.getFirstLocation(loci as StructureElement.Loci)
    return first === undefined ? null : (location(first)?.residue ?? null)
  }
  const heard = [
    plugin.behaviors.interaction.hover.subscribe(({ current }) =>
      options.onResidue(residueOf(current.loci), 'pointed'),
    ),
    plugin.behaviors.interaction.click.subscribe(({ current }) =>
      options.onResidue(residueOf(current.loci), 'pressed'),
    ),
  ]
  const sizes = new ResizeObserver(() => plugin.handleResize())
  sizes.observe(host)
  plugin.handleResize()
  let turns = 0
  const camera = () => plugin.canvas3d?.camera
  return {
    colour: async (of) => {
      colourOf = of
      turns += 1
      const components = plugin.managers.structure.hierarchy.current.structures.flatMap((one) => one.components)
      await plugin.managers.structure.component.updateRepresentationsTheme(
        components.filter(({ key }) => key?.includes('polymer')),
        { color: themeName as 'uniform', colorParams: { turn: turns } as never },
      )
    },
    select: (ranges) => {
      plugin.managers.interactivity.lociSelects.deselectAll()
      const data = plugin.managers.structure.hierarchy.current.structures[0]?.cell.obj?.data
      if (data === undefined || ranges.length === 0) return
      const selection = Script.getStructureSelection(
        (Q) =>
          Q.struct.combinator.merge(
            ranges.map(({ chain, from, to }) =>
              Q.struct.generator.atomGroups({
                'chain-test': Q.core.rel.eq([Q.struct.atomProperty.macromolecular.auth_asym_id(), chain]),
                'residue-test': Q.core.rel.inRange([Q.struct.atomProperty.macromolecular.auth_seq_id(), from, to]),
              }),
            ),
          ),
        data,
      )
      const loci = StructureSelection.toLociWithSourceUnits(selection)
      if (StructureElement.Loci.isEmpty(loci)) return
      plugin.managers.interactivity.lociSelects.select({ loci })
    },
    background,
    turn: (degrees) => {
      const at = camera()
      if (at === undefined) return
      const { position, target, up } = at.getSnapshot()
      const angle = (degrees * Math.PI) / 180
      const [x, y, z] = [0, 1, 2].map((axis) => position[axis]! - target[axis]!) as [number, number, number]
      const long = Math.hypot(up[0]!, up[1]!, up[2]!) || 1
      const [a, b, c] = [up[0]! / long, up[1]! / long, up[2]! / long]
      // Rodrigues 1840: about the axis that points up.
      const [cos, sin, dot] = [Math.cos(angle), Math.sin(angle), a * x + b * y + c * z]
      const turned = [
        x * cos + (b * z - c * y) * sin + a * dot * (1 - cos),
        y * cos + (c * x - a * z) * sin + b * dot * (1 - cos),
        z * cos + (a * y - b * x) * sin + c * dot * (1 - cos),
      ]
      at.setState({ position: turned.map((one, axis) => one + target[axis]!) as never }, 0)
      plugin.canvas3d?.requestDraw()
    },
    zoom: (factor) => {
      const at = camera()
      if (at === undefined) return
      const { position, target } = at.getSnapshot()
      const moved = [0, 1, 2].map((axis) => target[axis]! + (position[axis]! - target[axis]!) * factor)
      at.setState({ position: moved as never }, 0)
      plugin.canvas3d?.requestDraw()
    },
    reset: () => plugin.managers.camera.reset(),
    picture: async () => (await plugin.helpers.viewportScreenshot?.getImageDataUri()) ?? null,
    dispose: () => {
      sizes.disconnect()
      for (const one of heard) one.unsubscribe()
      plugin.dispose()
      canvas.remove()
    },
  }
}
