import { createFileRoute } from '@tanstack/react-router'
import { SectionLayout } from '../../../app/layouts/section-layout.tsx'

export const Route = createFileRoute('/_dashboard/reports')({
  // A frame of a few lines: not worth a separate request.
  codeSplitGroupings: [],
  staticData: { layout: 'dashboard-reports' },
  component: () => <SectionLayout name="dashboard-reports" />,
})
