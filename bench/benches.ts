import { alertsBench } from './alerts.bench.ts'
import { arrivalsBench } from './arrivals.bench.ts'
import { boardBench } from './board.bench.ts'
import { checkInBench } from './check-in.bench.ts'
import { dutyQueueBench } from './duty-queue.bench.ts'
import { importBench } from './import.bench.ts'
import { importFilesBench } from './import-files.bench.ts'
import { liveBench } from './live.bench.ts'
import { longListsBench } from './long-lists.bench.ts'
import { mapViewersBench } from './map-viewers.bench.ts'
import { markersBench } from './markers.bench.ts'
import type { Bench } from './measurement.ts'
import { messagesBench } from './messages.bench.ts'
import { monitoringListBench } from './monitoring-list.bench.ts'
import { officeBench } from './office.bench.ts'
import { positionsBench } from './positions.bench.ts'
import { positionsMemoryBench } from './positions-memory.bench.ts'
import { startBench } from './start.bench.ts'
import { travelersListBench } from './travelers-list.bench.ts'
import { webBench } from './web.bench.ts'

/** In the order in which they run. */
export const benches: readonly Bench[] = [
  boardBench,
  monitoringListBench,
  travelersListBench,
  longListsBench,
  liveBench,
  officeBench,
  checkInBench,
  dutyQueueBench,
  importBench,
  importFilesBench,
  messagesBench,
  arrivalsBench,
  alertsBench,
  positionsBench,
  mapViewersBench,
  markersBench,
  positionsMemoryBench,
  startBench,
  webBench,
]
