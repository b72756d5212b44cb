import { createFileRoute } from '@tanstack/react-router'
import { SectionLayout } from '../../../app/layouts/section-layout.tsx'

export const Route = createFileRoute('/_dashboard/dashboard')({
  // A frame of a few lines: not worth a separate request.
  codeSplitGroupings: [],
  staticData: { layout: 'dashboard-main' },
  component: () => <SectionLayout name="dashboard-main" />,
})
