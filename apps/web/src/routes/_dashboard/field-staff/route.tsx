import { createFileRoute } from '@tanstack/react-router'
import { SectionLayout } from '../../../app/layouts/section-layout.tsx'

export const Route = createFileRoute('/_dashboard/field-staff')({
  // A frame of a few lines: not worth a separate request.
  codeSplitGroupings: [],
  staticData: { layout: 'dashboard-field-staff' },
  component: () => <SectionLayout name="dashboard-field-staff" />,
})
