import { tourPerformance } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'
import { ReportPage } from './report-page.tsx'

/** "How did the tours go?" */
export const TourPerformancePage = () => (
  <ReportPage
    screen="/_dashboard/reports/tour-performance"
    title={m.app_title_report_tours()}
    name="tour-performance"
    callable={tourPerformance}
    rowsTitle={m.reports_tours()}
    rowHead={m.reports_tour()}
    trendOf="pax_carried"
  />
)
