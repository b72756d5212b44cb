import { tourPerformance } from '@tour-ops/contract/reports'
import { m } from '../../paraglide/messages.js'
import { ReportPage } from './report-page.tsx'

/** "How did the tours go?" */
export const TourPerformancePage = () => (
  <ReportPage
    title={m.app_title_report_tours()}
    name="tour-performance"
    callable={tourPerformance}
    rowHead={m.reports_tours()}
  />
)
