/** What is being prepared, as Home and the log tell it. */
export type DemoStage = Record<'en' | 'zh', string>

export type ReportDemoStage = (stage: DemoStage) => void
