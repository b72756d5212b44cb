import * as z from 'zod/mini'
import { Report } from '../reports/reports.ts'
import { sharedReportNames } from './report-of-link.ts'
import { sharedHead } from './shared-parts.ts'

/** Figures for a partner or an owner: never names of guests or crew, and money only with the scope for it. */
export const SharedReport = z.strictObject({
  kind: z.literal('report'),
  ...sharedHead,
  /** The office's. */
  timeZone: z.string(),
  name: z.enum(sharedReportNames),
  /** As the screen of the report shows it; opinions of few are left out. */
  report: Report,
})
export type SharedReport = z.output<typeof SharedReport>
