import { tourPerformance } from '@tour-ops/contract/reports/reports'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { ReportPage } from './report-page.tsx'

const PaymentsDialog = loadLater(async () => (await import('./payments-dialog.tsx')).PaymentsDialog)

/** "How did the tours go?" */
export const TourPerformancePage = () => (
  <ReportPage
    screen="/_dashboard/reports/tour-performance"
    title={m.app_title_report_tours()}
    name="tour-performance"
    callable={tourPerformance}
    exports={<PaymentsExport />}
  />
)

/** Money is counted by the day on which it came, not by that of the tour: it has a period of its own. */
function PaymentsExport() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)} {...onIntent(PaymentsDialog)}>
        {m.reports_payments()}
      </Button>
      {isOpen && <PaymentsDialog onClose={() => setOpen(false)} />}
    </>
  )
}
