import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { beginDutyOfNewDays, endForgottenDuty } from '../../platform/operations/duty.ts'

/** Ends duty that has lasted as long as any may. */
export const forgottenDuty: OrganizationSweep = { action: 'duty-limit', run: endForgottenDuty }

/** Begins the duty of each further day of a tour; after the sweep above, so that the day before has ended. */
export const dutyOfNewDays: OrganizationSweep = { action: 'duty-day', run: beginDutyOfNewDays }
