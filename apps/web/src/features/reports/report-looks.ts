import { drawnMetric, type ReportMetric, type ReportName } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'
import { nationalityLabel } from './mix-labels.ts'

interface ReportLook {
  /** Title of the table, and head of its first column. */
  readonly rowsTitle: () => string
  readonly rowHead: () => string
  readonly rowLabel?: (label: string) => string
  /** Drawn over the period, where the report has a course. */
  readonly trendOf?: ReportMetric
}

/** How reports look on their screen and on links of them. */
export const reportLooks: Record<ReportName, ReportLook> = {
  'tour-performance': { rowsTitle: m.reports_tours, rowHead: m.reports_tour, trendOf: drawnMetric },
  'staff-performance': { rowsTitle: m.reports_people, rowHead: m.reports_person },
  'traveler-insights': { rowsTitle: m.reports_markets, rowHead: m.reports_market, rowLabel: nationalityLabel },
}
