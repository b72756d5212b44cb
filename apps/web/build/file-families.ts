/**
 * Shared modules by what they are about. Each family is one file; by the screens that share them they would be up to thirteen crumbs of a
 * few hundred bytes. Browsers ask one server for six files at a time, and larger files are compressed better. A family holds what screens
 * that need one of its modules nearly always need of the others; everything else travels with what exactly the same screens share.
 */
const families: Readonly<Record<string, readonly string[]>> = {
  // of lists and boards alike; the count of open alerts is on every screen
  kit: [
    'contract/src/bookings/form-hold.',
    'contract/src/departures/departures.',
    'contract/src/departures/run-sheet.',
    'contract/src/equipment/equipment-',
    'contract/src/monitoring/alerts.',
    'contract/src/monitoring/refs.',
    'contract/src/tours/tour-route.',
    'contract/src/tracking/expected-silence.',
    'contract/src/tracking/link-state.',
    'contract/src/tours/tour-terms.',
    'contract/src/units.',
    'src/records/departure-link.',
    'src/records/departure-status.',
    'src/records/first-step.',
    'src/records/link-state-labels.',
    'src/app/screen-query.',
    'src/paraglide/messages/lists_count_of.',
    'src/paraglide/messages/ui_your_times.',
    'src/ui/drawer.',
    'src/ui/format-span.',
    'src/ui/search-input.',
    'src/ui/tabs.',
    'src/ui/use-after.',
    'src/ui/use-media.',
    'src/ui/wall-time.',
    'src/ui/zone-note.',
  ],
  board: [
    // of what a departure still lacks
    '/lucide-react/dist/esm/icons/languages.',
    '/lucide-react/dist/esm/icons/mail-exclamation-point.',
    '/lucide-react/dist/esm/icons/wrench.',
    'contract/src/overview/overview.',
    'src/features/monitoring/alert-title.',
    'src/features/field-staff/certificate-labels.',
    'src/records/readiness-fix.',
    'src/paraglide/messages/monitoring_alert_fact_',
    'src/paraglide/messages/monitoring_alert_kind_',
    'src/paraglide/messages/field_staff_certificate_',
    'src/paraglide/messages/ui_load_label.',
    'src/paraglide/messages/ui_page_of.',
    'src/ui/load-bar.',
    'src/ui/month.',
    'src/ui/on-paper.',
    'src/ui/page-numbers.',
  ],
  // of the day: the board has all four of them, other screens one or two
  signs: [
    '/lucide-react/dist/esm/icons/bus.',
    '/lucide-react/dist/esm/icons/calendar-off.',
    '/lucide-react/dist/esm/icons/cloud-sun.',
    '/lucide-react/dist/esm/icons/heart-pulse.',
  ],
  // tables need it, and screens without one
  saving: ['src/ui/save-file.'],
  table: [
    '/node_modules/@tanstack/react-virtual/',
    '/node_modules/@tanstack/virtual-core/',
    'contract/src/saved-views/saved-views.',
    'src/app/use-list-screen.',
    'src/paraglide/messages/lists_',
    'src/paraglide/messages/ui_table_',
    'src/ui/popover.',
    'src/ui/table/',
    'src/ui/use-debounced.',
  ],
  travelers: [
    'contract/src/bookings/booking-ref.',
    'contract/src/bookings/bookings.',
    'contract/src/bookings/manifest.',
    'contract/src/travelers/travelers.',
    'src/records/guest-state.',
    'src/records/traveler-flags.',
    'src/paraglide/messages/travelers_flag_',
    'src/paraglide/messages/travelers_state_',
  ],
  // of the lists of people and of where they are
  people: [
    'contract/src/field-staff/staff-terms.',
    'src/features/field-staff/staff-labels.',
    'src/paraglide/messages/field_staff_duty.',
    'src/paraglide/messages/field_staff_kind',
    'src/paraglide/messages/field_staff_name.',
    'src/paraglide/messages/field_staff_on_departure.',
  ],
  staff: ['contract/src/field-staff/field-staff.', 'src/features/field-staff/nobody-yet.'],
  // who fits a departure and why not: of the dialogs that assign
  assigning: ['contract/src/field-staff/assignments.', 'src/paraglide/messages/field_staff_'],
  // of every map: its ground, its marks, and what it says where it cannot be drawn
  ground: [
    'src/features/map/basemap/basemap.',
    'src/features/map/basemap/map-palette.',
    'src/features/map/basemap/mark-icons.',
    'src/features/map/basemap/own-ground.',
    'src/paraglide/messages/map_not_drawn',
    'src/paraglide/messages/map_zoom_',
  ],
  // how guests come to a stop: of itineraries and run sheets
  ways: [
    '/lucide-react/dist/esm/icons/plane.',
    '/lucide-react/dist/esm/icons/ship.',
    '/lucide-react/dist/esm/icons/train-front.',
    'src/records/travel-modes.',
    'src/paraglide/messages/departures_by_',
  ],
  // which report of which days: for the reports, and for the links that show them
  reports: [
    'contract/src/links/report-of-link.',
    'contract/src/reports/report-period.',
    'contract/src/reports/reports.',
    'src/records/report-words.',
    'src/paraglide/messages/links_report_rolling.',
    'src/paraglide/messages/reports_compare',
    'src/paraglide/messages/reports_days_',
    'src/paraglide/messages/reports_from.',
    'src/paraglide/messages/reports_period.',
    'src/paraglide/messages/reports_to.',
    'src/paraglide/messages/reports_weeks_',
    'src/paraglide/messages/reports_year.',
  ],
  // of maps and of pages about who was where
  tracking: [
    'contract/src/tracking/duty.',
    'contract/src/tracking/tracks.',
    'src/paraglide/messages/tracking_duty_on_break.',
  ],
}

/** Groups of the bundler, the first one strongest. @param priority Of the strongest; all stay above `priority - 1`. */
export const familyGroups = (priority: number) =>
  Object.entries(families).map(([name, parts], index) => ({
    name,
    test: (id: string): boolean => parts.some((part) => id.includes(part)),
    minShareCount: 2,
    priority: priority - index / 20,
  }))
