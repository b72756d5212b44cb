import { createFileRoute } from '@tanstack/react-router'
import { SectionLayout } from '../../../app/layouts/section-layout.tsx'

export const Route = createFileRoute('/_dashboard/tours')({
  // A frame of a few lines: not worth a separate request.
  codeSplitGroupings: [],
  staticData: { layout: 'dashboard-tours' },
  component: () => <SectionLayout name="dashboard-tours" />,
})
