import { accountMessages } from './accounts/account-messages.ts'
import type { ErrorCode } from './errors.ts'
import { defineMessages } from './text.ts'

/** Texts of the shared error codes and of what can be wrong with an input, for server and browser alike (ICU MessageFormat). */
export const errorMessages = defineMessages({
  en: {
    'error.INVALID_INPUT': 'Something in the form needs correcting.',
    'error.NOT_SIGNED_IN': 'Please sign in first; your session may have ended.',
    'error.WRONG_CREDENTIALS': 'Incorrect username/password',
    'error.FORBIDDEN': 'Your account does not have permission to do this.',
    'error.NOT_FOUND': 'Nothing was found at this address.',
    'error.UNKNOWN_GENE': 'No gene named “{gene}” was found.',
    'error.UNKNOWN_ASSEMBLY': 'No assembly named “{assembly}” is loaded.',
    'error.UNKNOWN_SEQUENCE':
      'Assembly {assembly} has no sequence named “{sequence}”.{near, select, none {} other { Near matches: {near}.}}',
    'error.CONFLICT': 'This has been changed or taken by someone else in the meantime.',
    'error.TOO_LARGE': 'This is larger than the portal accepts.',
    'error.RANGE_NOT_SATISFIABLE': 'The requested range lies outside the sequence or file.',
    'error.JOB_CANCELLED': 'This job was cancelled.',
    'error.TOO_MANY_REQUESTS': 'Too many requests at once. Please wait a moment and try again.',
    'error.ENGINE_FAILED':
      'The program behind this tool failed. The administrator of the portal can find the reason in the log.',
    'error.ENGINE_LIMIT':
      'The search was stopped because it exceeded the time, memory or disk space that this portal allows. Try a smaller search.',
    'error.INTERNAL':
      'Something went wrong on our side. The administrator of the portal can find the reason in the log under {requestId}.',
    'error.TOOL_UNAVAILABLE': 'This tool is not available on this portal at the moment.',
    'error.BUSY': 'The portal is busy. Please try again in a moment.',
    'error.diskFull':
      'The server’s disk is full: nothing can be saved until the administrator has freed space. Saving then resumes automatically.',
    'error.fileArriving':
      'The data for this view are being fetched from storage, which takes a while the first time. Please try again in a minute.',
    'error.storeAway':
      'The portal’s storage is not responding, so some files cannot be read. Please try again in a moment.',
    'error.toolUnavailable': 'This tool is not available on this portal yet. {reasons}',
    'tool.needsProgram': 'It requires the program {program}: the administrator can install the package {package}.',
    'tool.noData': 'It requires data that no species here has; the administrator can load them.',
    'tool.needsData':
      'It requires data of the type “{dataType}”: add the entry “{entry}” to species.yaml and load the folder again.',
    'job.timeLimit':
      '{program} was stopped after {seconds, number} seconds, the maximum that this portal allows. Try a smaller search.',
    'job.taskTimeLimit':
      'The job was stopped because it exceeded the time that this portal requests from the cluster. Try a smaller search.',
    'job.notStarted':
      'The cluster started the job {count, number} times, but it never began to run. The administrator of the portal can find the reason in the log.',
    'job.memoryLimit':
      '{program} was stopped because it needed more than {megabytes, number} MB of memory. Try a smaller search.',
    'job.outputLimit':
      '{program} was stopped because its output exceeded {megabytes, number} MB. Try a smaller search or stricter thresholds.',
    'job.programFailed':
      'The program {program} failed (exit status {exitCode}). The administrator of the portal can find the reason in the log.',
    'job.programKilled': 'The program {program} was terminated by signal {signal}. Please try again.',
    'job.programMissing':
      'The program {program} is not installed on this portal: the administrator can install the package {package}.',
    'answer.timeLimit':
      'This was stopped after {seconds, number} seconds, the maximum for a request on this portal. Try a smaller request.',
    'answer.memoryLimit':
      'This was stopped because it needed more than {megabytes, number} MB of memory. Try a smaller request.',
    'job.clientLimit':
      'You have {limit, number} jobs waiting or running, the maximum on this portal. Please wait for one to finish.',
    'tool.clientLimit':
      'You have {limit, number} requests waiting for an answer, the maximum on this portal. Please wait for some to finish.',
    'job.keptLimit':
      'Your results of the last {hours, number} hours take up {gigabytes, number} GB, the maximum that this portal keeps per person. Older results have already been deleted; please try again later.',
    'job.queueFull': 'The queue is full ({limit, number} jobs). Please try again later.',
    'job.workerDied': 'The job was interrupted {attempts, number} times and will not be retried.',
    'job.storeAway':
      'The portal’s storage was not responding, so the job could not be finished. Please run it again later.',
    'job.diskFull':
      'The server’s disk is full, so the job could not be run. Please run it again once the administrator has freed space.',
    'job.unknown': 'This job does not exist, or its result has expired.',
    'job.notDone': 'The job has not finished yet.',
    'job.failed': 'The job failed because of a problem on the server, so it has no result.',
    'job.notEnded': 'The job has not ended yet.',
    'job.unstorableCharacter': 'The input contains a character that cannot be stored (a null byte).',
    'import.unknown': 'This import does not exist any more.',
    'import.path': 'A file cannot be uploaded under this name: {path}',
    'import.fileTaken': 'This import already contains {path}.',
    'import.tooLarge': 'One import may upload at most {gigabytes, number} GB (NOVODB_UPLOAD_SIZE).',
    'import.noSpace': 'The upload needs {needed} GB, and {free} GB are free on the server.',
    'import.working': 'Something is being done with this import already. Wait for it, or stop it.',
    'import.elsewhere': 'This runs on another server of the portal, or has ended: it cannot be stopped from here.',
    'import.loaded':
      'Species are loaded from this import, and loading them again needs its files: remove them from the portal first.',
    'import.undoChanged': 'What this load put into service is no longer served: there is nothing to undo.',
    'import.notReady': 'The files have to be recognised without errors before they can be checked or loaded.',
    'import.unwritable': 'The portal cannot write to its folder for species ({folder}): {reason}',
    'import.address':
      'Not an address that can be fetched: only http and https, without a password, and not of the server’s own network.',
    'import.outside': 'Only what lies in the folders that NOVODB_IMPORT_FOLDERS names can be imported.',
    'alignment.none': 'Assembly {assembly} is not aligned to another assembly of its species on this portal.',
    'alignment.notReference':
      'This is available only for the reference assembly of the species ({reference}), not for {assembly}.',
    'alignment.regionOutside':
      'The region must lie within {sequence}, which is {length, number} bp long, and its end must not precede its start.',
    'alignment.regionLong': 'At most {limit, number} bp can be mapped to other assemblies at once.',
    'input.line': 'Line {line, number}: {text}',
    'input.required': 'Please fill in this field.',
    'input.type': 'This value is not of the expected type.',
    'input.tooSmall': 'Must be at least {minimum}.',
    'input.tooBig': 'Must be at most {maximum}.',
    'input.tooShort': '{minimum, plural, =1 {Please fill in this field.} other {At least # are required.}}',
    'input.tooLong': 'At most {maximum, number} are allowed.',
    'input.choice': 'Not one of the allowed values: {values}.',
    'input.format': 'This is not in the expected format.',
    'input.notInQuery': '“{name}” belongs in the request body, not in the address.',
    'input.unknownField': 'There is no field “{name}”.{near, select, none {} other { Did you mean {near}?}}',
    'locus.empty': 'Give a locus: chr1:1000..2000, or the name of a sequence, a gene or a feature.',
    'locus.unreadable': '“{text}” is not a locus. Use the form chr1:1000..2000.',
    'locus.name-missing': 'The sequence name is missing.',
    'locus.range-missing': 'Start and end are missing after “{name}”.',
    'locus.number-bad': '“{value}” is not a whole number.',
    'locus.number-comma':
      '“{value}” is not a number: use commas only before groups of three digits. Write {one} for a single number{two, select, none {} other {, or {two} for start and end}}.',
    'locus.start-zero': 'Positions start at 1 (only BED lines start at 0).',
    'locus.bed-columns': 'A BED line has at least 3 columns; this one has {found}.',
    'locus.bed-empty': 'Start and end are both {start}: BED excludes the end position, so the interval is empty.',
    'locus.sequence-unknown':
      'There is no sequence named “{name}”.{near, select, none {} other { Near matches: {near}.}}',
    'locus.name-ambiguous': '“{text}” is both the name of a sequence and a region of another one.',
    'locus.beyond-end': '{name} is {length, number} bp long: the region starts at {start, number}, beyond its end.',
    'locus.feature-ambiguous': '“{name}” is the name of several features; give the id of one: {ids}.',
    'locus.gene-ambiguous': '“{name}” is the name of several genes; give the id of one: {ids}.',
    'locus.unknown':
      '{assembly} has no sequence, gene or feature named “{text}”.{near, select, none {} other { Near matches: {near}.}}',
    ...accountMessages.en,
  },
  zh: {
    'error.INVALID_INPUT': '表单中有内容需要修改。',
    'error.NOT_SIGNED_IN': '请先登录；您的会话可能已过期。',
    'error.WRONG_CREDENTIALS': '用户名或密码错误',
    'error.FORBIDDEN': '您的账户没有此操作的权限。',
    'error.NOT_FOUND': '该地址没有内容。',
    'error.UNKNOWN_GENE': '未找到名为“{gene}”的基因。',
    'error.UNKNOWN_ASSEMBLY': '未加载名为“{assembly}”的基因组。',
    'error.UNKNOWN_SEQUENCE':
      '基因组 {assembly} 中没有名为“{sequence}”的序列。{near, select, none {} other {相近的名称：{near}。}}',
    'error.CONFLICT': '该内容已被他人修改或占用。',
    'error.TOO_LARGE': '超出本站允许的大小。',
    'error.RANGE_NOT_SATISFIABLE': '请求的范围超出序列或文件长度。',
    'error.JOB_CANCELLED': '该任务已取消。',
    'error.TOO_MANY_REQUESTS': '请求过于频繁，请稍候再试。',
    'error.ENGINE_FAILED': '该工具调用的程序运行失败，管理员可在日志中查明原因。',
    'error.ENGINE_LIMIT': '计算所需的时间、内存或空间超出本站上限，已被终止。请减少一次提交的数据量。',
    'error.INTERNAL': '服务器出现问题，管理员可凭编号 {requestId} 在日志中查明原因。',
    'error.TOOL_UNAVAILABLE': '该工具目前不可用。',
    'error.BUSY': '系统繁忙，请稍后再试。',
    'error.diskFull': '服务器磁盘已满，管理员腾出空间之前无法保存任何内容；此后将自动恢复。',
    'error.fileArriving': '正在从对象存储获取所需数据，首次访问需要一些时间，请一分钟后再试。',
    'error.storeAway': '存储服务暂时没有响应，部分文件无法读取。请稍后再试。',
    'error.toolUnavailable': '该工具在本站暂不可用。{reasons}',
    'tool.needsProgram': '需要程序 {program}：请管理员安装软件包 {package}。',
    'tool.noData': '需要相应的数据，而本站尚无物种具备；可由管理员加载。',
    'tool.needsData': '需要“{dataType}”类型的数据：请在 species.yaml 中添加条目“{entry}”后重新加载。',
    'job.timeLimit': '{program} 运行超过本站允许的 {seconds, number} 秒，已被终止。请减少一次提交的数据量。',
    'job.taskTimeLimit': '任务运行超过本站向计算集群申请的时长，已被终止。请减少一次提交的数据量。',
    'job.notStarted': '计算集群 {count, number} 次启动该任务均未能开始运行，管理员可在日志中查明原因。',
    'job.memoryLimit': '{program} 所需内存超过 {megabytes, number} MB，已被终止。请减少一次提交的数据量。',
    'job.outputLimit': '{program} 的输出超过 {megabytes, number} MB，已被终止。请减少数据量或收紧筛选条件。',
    'job.programFailed': '程序 {program} 运行失败（退出码 {exitCode}），管理员可在日志中查明原因。',
    'job.programKilled': '程序 {program} 被信号 {signal} 终止，请重试。',
    'job.programMissing': '本站未安装程序 {program}：请管理员安装软件包 {package}。',
    'answer.timeLimit': '本次请求超过本站允许的 {seconds, number} 秒，已被终止。请减少一次提交的数据量。',
    'answer.memoryLimit': '本次请求所需内存超过 {megabytes, number} MB，已被终止。请减少一次提交的数据量。',
    'job.clientLimit': '您已有 {limit, number} 个排队或运行中的任务，达到本站上限，请等待其中之一结束。',
    'tool.clientLimit': '您已有 {limit, number} 个请求在等待结果，达到本站上限，请稍候再试。',
    'job.keptLimit':
      '您最近 {hours, number} 小时内的结果已占用 {gigabytes, number} GB，达到本站为每位用户保留的上限；更早的结果已被清除，请稍后再试。',
    'job.queueFull': '任务队列已满（{limit, number} 个任务），请稍后再试。',
    'job.workerDied': '该任务已中断 {attempts, number} 次，不再重试。',
    'job.storeAway': '存储服务没有响应，任务未能完成。请稍后重新运行。',
    'job.diskFull': '服务器磁盘已满，任务无法运行。请在管理员腾出空间后重新运行。',
    'job.unknown': '没有该任务，或其结果已过期。',
    'job.notDone': '该任务尚未完成。',
    'job.failed': '服务器出现问题，该任务运行失败，没有结果。',
    'job.notEnded': '该任务尚未结束。',
    'job.unstorableCharacter': '输入中含有无法存储的字符（空字节）。',
    'import.unknown': '该导入已不存在。',
    'import.path': '不能以此名称上传文件：{path}',
    'import.fileTaken': '本次导入中已有 {path}。',
    'import.tooLarge': '一次导入最多上传 {gigabytes, number} GB（NOVODB_UPLOAD_SIZE）。',
    'import.noSpace': '上传需要 {needed} GB，而服务器仅余 {free} GB。',
    'import.working': '该导入正在处理中，请等待其完成或将其停止。',
    'import.elsewhere': '该操作在本站的另一台服务器上运行，或已经结束，无法从这里停止。',
    'import.loaded': '已有物种由本次导入加载，重新加载时仍需其文件：请先将这些物种从本站移除。',
    'import.undoChanged': '该次加载的数据版本已不在使用，无需撤销。',
    'import.notReady': '须先无错误地识别文件，才能检查或加载。',
    'import.unwritable': '无法写入存放物种的文件夹（{folder}）：{reason}',
    'import.address': '不能从该地址下载：仅支持 http 和 https，不能含密码，也不能指向服务器所在的网络。',
    'import.outside': '只能导入 NOVODB_IMPORT_FOLDERS 所列文件夹中的内容。',
    'alignment.none': '在本站中，基因组 {assembly} 未与同一物种的其他基因组进行比对。',
    'alignment.notReference': '该信息仅适用于该物种的参考基因组（{reference}），不适用于 {assembly}。',
    'alignment.regionOutside': '区段须位于 {sequence} 之内（全长 {length, number} bp），且终点不得小于起点。',
    'alignment.regionLong': '一次最多可将 {limit, number} bp 的区段定位到其他基因组。',
    'input.line': '第 {line, number} 行：{text}',
    'input.required': '请填写此项。',
    'input.type': '该值的类型不正确。',
    'input.tooSmall': '不得小于 {minimum}。',
    'input.tooBig': '不得大于 {maximum}。',
    'input.tooShort': '{minimum, plural, =1 {请填写此项。} other {至少需要 # 项。}}',
    'input.tooLong': '最多 {maximum, number} 项（或字符）。',
    'input.choice': '不在可选值之内：{values}。',
    'input.format': '格式不正确。',
    'input.notInQuery': '“{name}”应写在请求体中，而非网址中。',
    'input.unknownField': '没有名为“{name}”的字段。{near, select, none {} other {是否指 {near}？}}',
    'locus.empty': '请填写位置：chr1:1000..2000，或序列、基因、特征的名称。',
    'locus.unreadable': '“{text}”不是位置，请写成 chr1:1000..2000 的形式。',
    'locus.name-missing': '缺少序列名称。',
    'locus.range-missing': '“{name}”之后缺少起点和终点。',
    'locus.number-bad': '“{value}”不是整数。',
    'locus.number-comma':
      '“{value}”不是数值：逗号只能用作千位分隔符。若为一个数，请写 {one}{two, select, none {} other {；若为起点与终点，请写 {two}}}。',
    'locus.start-zero': '坐标从 1 开始计数（只有 BED 行从 0 计数）。',
    'locus.bed-columns': 'BED 行至少需要 3 列，此行只有 {found} 列。',
    'locus.bed-empty': '起点与终点同为 {start}：BED 不含终点，因此不包含任何碱基。',
    'locus.sequence-unknown': '没有名为“{name}”的序列。{near, select, none {} other {相近的名称：{near}。}}',
    'locus.name-ambiguous': '“{text}”既可理解为序列名，也可理解为另一条序列上的区段。',
    'locus.beyond-end': '{name} 全长 {length, number} bp，区段起点 {start, number} 已超出末端。',
    'locus.feature-ambiguous': '名为“{name}”的特征不止一个，请填写其中之一的编号：{ids}。',
    'locus.gene-ambiguous': '名为“{name}”的基因不止一个，请填写其中之一的编号：{ids}。',
    'locus.unknown':
      '{assembly} 中没有名为“{text}”的序列、基因或特征。{near, select, none {} other {相近的名称：{near}。}}',
    ...accountMessages.zh,
  },
})

/** Every shared code has a text: a missing one does not compile. */
export type _EveryCodeHasText = `error.${ErrorCode}` extends keyof typeof errorMessages.en ? true : never
