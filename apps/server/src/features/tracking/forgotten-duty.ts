import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { endForgottenDuty } from '../../platform/operations/duty.ts'

/** Ends duty that has lasted as long as any may. */
export const forgottenDuty: OrganizationSweep = { action: 'duty-limit', run: endForgottenDuty }
