import type { Theme } from '../../kit/ui/theme.ts'

/**
 * Names and numbers of chromosomes in the overview, in turn. JBrowse's own are the same on both grounds, where none can have the
 * contrast of 4.5 that small text needs (WCAG 2.2, 1.4.3): dark red on black is not read.
 */
export const sequenceColors: Record<Theme, string[]> = {
  light: ['#0b6546', '#8a5200', '#0b5f99', '#8c2f6b', '#5a5f00', '#6b3fa0', '#9c2f1f', '#3f544b'],
  dark: ['#6fd3ae', '#f0b860', '#7cc0f0', '#eb9ac9', '#c9cf6a', '#c3a5f0', '#f2a090', '#b5c9bf'],
}
