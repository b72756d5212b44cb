import { phonePaths } from './phone-paths.ts'

/** Every address of the application, for links that are not typed routes: the palette, notifications, e-mails. `paths.test.ts` matches each with the route tree. */
export const paths = {
  ...phonePaths,
  home: () => '/',
  map: () => '/dashboard/map',
  fieldStaffList: () => '/field-staff/list',
  fieldStaffCreate: () => '/field-staff/create',
  fieldStaffDetails: (id: string) => `/field-staff/details/${id}`,
  fieldStaffEdit: (id: string) => `/field-staff/edit/${id}`,
  fieldStaffTracking: () => '/field-staff/tracking',
  staffPerformance: () => '/reports/staff-performance',
  feedback: () => '/reports/feedback',
  tourPerformance: () => '/reports/tour-performance',
  travelerInsights: () => '/reports/traveler-insights',
  settings: () => '/settings',
  settingsGeneral: () => '/settings/general',
  settingsNotifications: () => '/settings/notifications',
  settingsTour: () => '/settings/tour',
  settingsWebhooks: () => '/settings/webhooks',
  monitoringList: () => '/tools/full-monitoring-list',
  monitoring: () => '/tools/monitoring',
  notifications: () => '/tools/notifications',
  sharedLinks: () => '/tools/shared-links',
  tours: () => '/tours/all',
  tourConstructor: () => '/tours/constructor',
  tourEdit: (id: string) => `/tours/edit/${id}`,
  tourWizard: (id: string) => `/tours/wizard/${id}`,
  travelers: () => '/travelers/list',
  travelerCreate: () => '/travelers/edit/create',
  travelerImport: () => '/travelers/import',
  travelerImportOf: (id: string) => `/travelers/import/${id}`,
  newBooking: () => '/travelers/book',
  travelerBook: (id: string) => `/travelers/book/${id}`,
  travelerDetails: (id: string) => `/travelers/details/${id}`,
  travelerEdit: (id: string) => `/travelers/edit/${id}`,
  users: () => '/user-management/list',
  userCreate: () => '/user-management/create',
  signUp: () => '/sign-up',
  waitlist: () => '/waitlist',
  organizations: () => '/organizations',
  createOrganization: () => '/create-organization',
  acceptInvitation: () => '/accept-invitation',
  resetPassword: () => '/reset-password',
  verifyEmail: () => '/verify-email',
  pair: () => '/pair',
  accountSecurity: () => '/account/security',
  secondFactor: () => '/account/second-factor',
  share: (token: string) => `/share/${token}`,
} as const

/** Records open over any screen, each over those before it. See docs/screens.md, "Records over any screen". */
export const recordParameters = ['alert', 'incident', 'departure', 'booking'] as const
export type RecordParameter = (typeof recordParameters)[number]

/** An address with a record's drawer open over it. */
export const withRecord = (path: string, record: RecordParameter, id: string): string =>
  `${path}?${new URLSearchParams({ [record]: id }).toString()}`
