import type { SharedReport } from '@tour-ops/contract/links/shared-report'
import { Printer } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { daysText, reportTitles } from '../../../records/report-words.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { formatDayTime, formatZone } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { ReportBody } from '../../reports/index.ts'
import { ShareFoot } from './share-block.tsx'

/** The figures of a report for a partner or an owner: on a screen, and on paper. */
export function ReportLinkPage({ page }: { page: SharedReport }) {
  const { name, report } = page
  const asOf = { moment: formatDayTime(report.asOf, report.timeZone), zone: formatZone(report.timeZone) }
  return (
    <>
      <div className="share-block flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1">
          <h1 className="text-[26px] leading-8 font-semibold tracking-tight text-ink-strong">{reportTitles[name]()}</h1>
          <p className="text-lg text-ink-2">
            <Ltr>{daysText(report)}</Ltr>
          </p>
          <p className="text-ink-2">
            {report.comparedWith && (
              <>
                {m.links_report_compared({ days: daysText(report.comparedWith) })}
                {' · '}
              </>
            )}
            {m.reports_as_of(asOf)}
          </p>
        </div>
        <div className="no-print">
          <Button icon={Printer} onClick={() => window.print()}>
            {m.links_print_page()}
          </Button>
        </div>
      </div>
      <div className="share-report">
        <ReportBody name={name} report={report} empty={<Empty title={m.reports_empty()} />} />
      </div>
      <ShareFoot page={page} timeZone={page.timeZone} />
    </>
  )
}
