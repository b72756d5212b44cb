import type { StatusOf } from '@tour-ops/contract/state-machines'
import { serviceStatusWords } from '../../records/service-words.ts'

export const serviceStatusWord = (status: StatusOf<'departure_services'>): string => serviceStatusWords[status]()
