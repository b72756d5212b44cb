import { travelerInsights } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'
import { ReportPage } from './report-page.tsx'

/** "Who travels with us?" Groups under five are merged. */
export const TravelerInsightsPage = () => (
  <ReportPage
    screen="/_dashboard/reports/traveler-insights"
    title={m.app_title_report_travelers()}
    name="traveler-insights"
    callable={travelerInsights}
  />
)
