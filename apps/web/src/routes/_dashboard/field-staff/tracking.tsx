import { createFileRoute } from '@tanstack/react-router'
import { day, listSearch, matching, oneOf, text } from '../../../addresses/search-shape.ts'
import { FieldStaffTrackingPage } from '../../../features/field-staff/field-staff-tracking-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/field-staff/tracking')({
  staticData: {
    title: () => m.app_title_staff_tracking(),
    layout: 'dashboard-field-staff',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'tracking:read',
  },
  validateSearch: listSearch({
    tracks: text,
    day,
    /** Seconds since 1970. */
    at: matching(/^\d{9,10}$/),
    graph: oneOf('speed', 'altitude', 'battery'),
    pane: oneOf('map'),
  }),
  component: FieldStaffTrackingPage,
})
