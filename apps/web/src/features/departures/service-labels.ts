import type { StatusOf } from '@tour-ops/contract/state-machines'
import { serviceStatusLabels } from '../../records/service-labels.ts'

export const serviceStatusLabel = (status: StatusOf<'departure_services'>): string => serviceStatusLabels[status]()
