import { sealedInPlans } from '../../platform/reseal-staged-lines.ts'
import type { SealedColumn, SealedPlace, SealedText } from '../../platform/sealed-text.ts'
import type { BatchKey, EntityPlan, WritePlan } from './plan-types.ts'

/** Encrypts passport numbers and medical notes of a file while they wait in the staging table. */
export class ImportSeal {
  readonly #sealed: SealedText
  readonly #batch: BatchKey

  constructor(sealed: SealedText, batch: BatchKey) {
    this.#sealed = sealed
    this.#batch = batch
  }

  /** A value of a line, in hexadecimal; opens in this batch only. */
  seal(text: string): string {
    return this.#sealed.seal(text, this.#ofBatch()).toString('hex')
  }

  open(hex: string): string {
    return this.#sealed.open(Buffer.from(hex, 'hex'), this.#ofBatch())
  }

  /** What a row holds already; undefined when it cannot be opened, so that the file's value counts as another. */
  openStored(column: SealedColumn, id: string, hex: string): string | undefined {
    return this.#sealed.openIfPossible(Buffer.from(hex, 'hex'), { orgId: this.#batch.orgId, column, id }) ?? undefined
  }

  /** A plan as the staging table keeps it: `part` of what a line writes. */
  sealPlan(part: string, plan: EntityPlan): EntityPlan {
    const sealedColumn = sealedInPlans.get(part)
    const text = sealedColumn && plan.set[sealedColumn.name]
    if (!sealedColumn || typeof text !== 'string') return plan
    const place = { orgId: this.#batch.orgId, column: sealedColumn.column, id: plan.id }
    // the text form of a byte string, as PostgreSQL reads it
    const value = `\\x${this.#sealed.seal(text, place).toString('hex')}`
    return { ...plan, set: { ...plan.set, [sealedColumn.name]: value } }
  }

  sealWrite(write: WritePlan): WritePlan {
    return {
      ...write,
      ...(write.passport && { passport: this.sealPlan('passport', write.passport) }),
      ...(write.private && { private: this.sealPlan('private', write.private) }),
    }
  }

  #ofBatch(): SealedPlace {
    return { orgId: this.#batch.orgId, column: 'import_rows.after', id: this.#batch.batchId }
  }
}
