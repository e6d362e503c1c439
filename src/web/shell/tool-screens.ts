import type { OwnPage, Screen } from '../../kit/ui/tool/define-screen.ts'

const screens = import.meta.glob<{ default: unknown }>('../../tools/*/screen.tsx')

/** The screen of a tool of this build; null where there is no such tool. */
export const loadScreen = async (tool: string): Promise<Screen | OwnPage | null> =>
  ((await screens[`../../tools/${tool}/screen.tsx`]?.())?.default as Screen | OwnPage | undefined) ?? null
