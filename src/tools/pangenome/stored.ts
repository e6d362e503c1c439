/** Data type, and kind and id of the record, of an assembly's BUSCO summary. */
export const buscoKind = 'busco'
