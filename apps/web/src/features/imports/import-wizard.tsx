import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { getImport } from '@tour-ops/contract/imports/imports'
import { screenErrorOf } from '../../app/page-error.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { CheckStep } from './check-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import { ImportStep } from './import-step.tsx'
import { WizardFrame } from './wizard-frame.tsx'

/** How often a batch is checked while a job works on it: its progress is no record, and nobody announces it. */
const progressEveryMs = 500

/** From a file to travelers, in four steps; this is the first, at `/travelers/import`. */
export function NewImportPage() {
  return <FileStep />
}

/** The other steps of an import. The address holds the batch and the step, so that the page may be left and found again. */
export function ImportPage() {
  const { id } = useParams({ from: '/_dashboard/travelers/import/$id' })
  return <BatchWizard key={id} id={id} />
}

function BatchWizard({ id }: { id: string }) {
  const [{ step: wanted }, setUrl] = useUrlState('/_dashboard/travelers/import/$id')
  const { data: batch, error } = useQuery({
    ...callQuery(getImport, { id }),
    refetchInterval: (query) => (query.state.data?.progress ? progressEveryMs : false),
  })
  if (error && !batch) throw screenErrorOf(error, location.pathname)
  if (!batch) {
    return (
      <WizardFrame step="columns" says={null}>
        <SkeletonRows rows={10} />
      </WizardFrame>
    )
  }
  const go = (step: 'columns' | 'check' | 'import') => setUrl({ step }, { push: true })
  switch (stepOf(batch, wanted)) {
    case 'columns':
      return <ColumnsStep batch={batch} onChecked={() => go('check')} />
    case 'check':
      return <CheckStep batch={batch} onBack={() => go('columns')} onImport={() => go('import')} />
    default:
      return <ImportStep batch={batch} onCheckAgain={() => go('check')} />
  }
}

/** What is going on decides; else the address; else how far the batch is. */
function stepOf(
  batch: ImportBatch,
  wanted: 'columns' | 'check' | 'import' | undefined,
): 'columns' | 'check' | 'import' {
  if (batch.progress) return batch.progress.job === 'preview' ? 'check' : 'import'
  if (batch.status === 'applied' || batch.status === 'undone' || batch.status === 'failed') return 'import'
  if (batch.error && wanted === 'import') return 'import'
  if (batch.counts === null) return 'columns'
  return wanted === 'columns' ? 'columns' : 'check'
}
