import type { Services } from './context.ts'
import { sweepExpiredHolds } from './features/bookings/sweep-holds.ts'
import { tellCrews } from './features/field-staff/crew-news.ts'
import { oldCrewReminders, remindCrews } from './features/field-staff/crew-reminders.ts'
import { remindOfDutyStart } from './features/field-staff/missing-duty-starts.ts'
import { reportUnopenedPlans } from './features/field-staff/unopened-plans.ts'
import { overdueDepartures } from './features/departures/overdue-departures.ts'
import { oldImportRows } from './features/imports/forget-file.ts'
import { registerImportJobs } from './features/imports/imports-jobs.ts'
import { untoldSuppliers } from './features/links/untold-suppliers.ts'
import { checkAllOrganizations } from './features/monitoring/check-alerts.ts'
import { alertEscalation } from './features/monitoring/escalate-alerts.ts'
import { unusedIncidentFiles } from './features/monitoring/incident-files-service.ts'
import { askGuests } from './features/notifications/ask-feedback.ts'
import { messageEscalation } from './features/notifications/escalate-messages.ts'
import { oldGuestOccasions } from './features/notifications/back-test.ts'
import { noticeDelays } from './features/notifications/notice-delays.ts'
import { remindLastMinute } from './features/notifications/last-reminders.ts'
import { informGuests, remindGuests } from './features/notifications/remind-guests.ts'
import { oldSensitiveData } from './features/travelers/purge-sensitive.ts'
import { oldWebhookDeliveries } from './features/webhooks/old-deliveries.ts'
import { oldDigests, sendDigests } from './features/overview/daily-digest.ts'
import { sweepFiles } from './platform/files/sweep.ts'
import type { StoredFiles } from './platform/files/stored-files.ts'
import { pruneIdentity } from './platform/identity/backend-tokens.ts'
import {
  eachByItself,
  registerHousekeeping,
  sharedLinkTimes,
  sweepOrganizations,
  travelerCounts,
} from './platform/jobs/housekeeping.ts'
import { arrivalsFromPositions } from './features/tracking/arrivals-from-positions.ts'
import { askRouters } from './features/tracking/router-questions.ts'
import { dutyOfNewDays, forgottenDuty } from './features/tracking/duty-sweeps.ts'
import { reseal } from './platform/reseal.ts'
import { oldRoadWays } from './platform/routing/road-ways.ts'

/** Says who does the work that happens by itself. Every process registers the same; each run happens in one of them. */
export function registerBackground(services: Services, files: StoredFiles): void {
  const holds = async () => {
    await sweepExpiredHolds(services)
  }
  services.jobs.register('sweep-holds', holds, { cron: '* * * * *', retryLimit: 0 })
  const minutely = [
    arrivalsFromPositions(services.clock),
    overdueDepartures(services.clock),
    alertEscalation(services),
    messageEscalation(services),
    untoldSuppliers,
  ]
  const follow = () => eachByItself([() => sweepOrganizations(services, minutely), () => noticeDelays(services)])
  services.jobs.register('follow-departures', follow, { cron: '* * * * *', retryLimit: 0 })
  const remind = () =>
    eachByItself([() => informGuests(services), () => remindGuests(services), () => remindLastMinute(services)])
  services.jobs.register('remind-guests', remind, { cron: '* * * * *', retryLimit: 0 })
  services.jobs.register('ask-feedback', () => askGuests(services), { cron: '* * * * *', retryLimit: 0 })
  services.jobs.register('send-digests', () => sendDigests(services), { cron: '* * * * *', retryLimit: 0 })
  const tellStaff = () =>
    eachByItself([
      () => tellCrews(services),
      () => remindCrews(services),
      () => remindOfDutyStart(services),
      () => reportUnopenedPlans(services),
    ])
  services.jobs.register('tell-crews', tellStaff, { cron: '* * * * *', retryLimit: 0 })
  services.jobs.register('check-alerts', () => checkAllOrganizations(services), { cron: '41 * * * *', retryLimit: 0 })
  services.jobs.register('ask-routers', (_data, { signal }) => askRouters(services, signal), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  registerImportJobs(services)
  registerHousekeeping(services, {
    sweeps: [sharedLinkTimes, travelerCounts, forgottenDuty, dutyOfNewDays],
    nightly: [
      () => pruneIdentity(services.db.ownerPool),
      () => sweepFiles(services, files),
      () => reseal(services, { which: 'unsealed' }),
      () =>
        sweepOrganizations(services, [
          oldImportRows,
          unusedIncidentFiles,
          oldSensitiveData,
          oldRoadWays,
          oldWebhookDeliveries,
          oldGuestOccasions,
          oldDigests,
          oldCrewReminders,
        ]),
    ],
  })
}
