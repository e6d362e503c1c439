# Two groups of samples compared by the package of Bioconductor that is named. Run in the folder of its inputs:
#   Rscript --vanilla contrast.R deseq2|edger|voom|limma|resampling MIN_COUNT ALPHA
# Reads values.tsv (genes in rows, samples in columns) and samples.tsv (a row for each sample in the same order: sample, group
# being "reference" or "test", then covariates: numbers, or names of levels that begin with "l:").
# For resampling, tested.tsv has what the portal found of each gene by permutation; R checks the samples and adjusts the p-values.
# Where there is a sets.tsv (set, gene), sets are tested over the ranks of all genes by cameraPR of limma.
# Writes genes.tsv, sets-tested.tsv, checked.tsv (a row for each sample), distances.tsv and facts.tsv.
arguments <- commandArgs(trailingOnly = TRUE)
method <- arguments[1]
min_count <- as.numeric(arguments[2])
alpha <- as.numeric(arguments[3])

wanted <- switch(method, deseq2 = c("DESeq2"), edger = c("edgeR", "limma"), voom = c("edgeR", "limma"), limma = c("limma"),
  resampling = c("edgeR", "limma"))
for (name in wanted) {
  if (!requireNamespace(name, quietly = TRUE)) {
    message("missing-package ", name)
    quit(status = 20)
  }
  suppressPackageStartupMessages(library(name, character.only = TRUE))
}

table <- read.delim("values.tsv", check.names = FALSE, quote = "", comment.char = "", colClasses = c(gene = "character"))
values <- as.matrix(table[, -1])
rownames(values) <- ifelse(is.na(table$gene), "NA", table$gene)
samples <- read.delim("samples.tsv", check.names = FALSE, quote = "", comment.char = "", stringsAsFactors = FALSE)
samples$group <- factor(samples$group, levels = c("reference", "test"))
covariates <- setdiff(colnames(samples), c("sample", "group"))
for (name in covariates) if (is.character(samples[[name]])) samples[[name]] <- factor(samples[[name]])
terms <- c(covariates, "group")
design_formula <- as.formula(paste("~", paste(terms, collapse = " + ")))
design <- model.matrix(design_formula, samples)
smallest <- min(table(samples$group))
facts <- list(r = as.character(getRversion()))
for (name in wanted) facts[[name]] <- as.character(packageVersion(name))
facts$design <- paste("~", paste(terms, collapse = " + "))
note <- character()

total <- colSums(values, na.rm = TRUE)
detected <- colSums(values > 0, na.rm = TRUE)
outliers <- rep(NA_integer_, ncol(values))

if (method == "deseq2") {
  counts <- round(values)
  mode(counts) <- "integer"
  dds <- DESeqDataSetFromMatrix(counts, samples, design_formula)
  dds <- dds[rowSums(counts(dds) >= min_count) >= smallest, ]
  if (nrow(dds) < 2) { message("too-few-genes"); quit(status = 21) }
  # Where every gene has a zero somewhere, the median of ratios has nothing to go by: the estimator that DESeq2 offers for that.
  size_factors <- if (any(rowSums(counts(dds) == 0) == 0)) "ratio" else "poscounts"
  if (size_factors == "poscounts") note <- c(note, "poscounts")
  dds <- tryCatch(DESeq(dds, sfType = size_factors, quiet = TRUE), error = function(e) {
    if (!grepl("dispersion", conditionMessage(e))) stop(e)
    # Dispersions too alike for a curve: gene by gene, as the message of DESeq2 advises.
    note <<- c(note, "gene-wise")
    d <- estimateDispersionsGeneEst(estimateSizeFactors(dds, type = size_factors), quiet = TRUE)
    dispersions(d) <- mcols(d)$dispGeneEst
    nbinomWaldTest(d, quiet = TRUE)
  })
  result <- results(dds, contrast = c("group", "test", "reference"), alpha = alpha)
  shrunken <- tryCatch(
    lfcShrink(dds, coef = "group_test_vs_reference", type = "normal", quiet = TRUE)$log2FoldChange,
    error = function(e) rep(NA_real_, nrow(result))
  )
  table <- data.frame(gene = rownames(result), mean = result$baseMean, lfc = result$log2FoldChange, shrunken = shrunken,
    se = result$lfcSE, statistic = result$stat, p = result$pvalue, adjusted = result$padj)
  cooks <- assays(dds)[["cooks"]]
  if (!is.null(cooks)) {
    bound <- qf(0.99, ncol(design), ncol(dds) - ncol(design))
    if (is.finite(bound)) outliers <- colSums(cooks > bound, na.rm = TRUE)
  }
  factors <- sizeFactors(dds)
  comparable <- tryCatch(
    assay(if (nrow(dds) >= 1000) vst(dds, blind = TRUE) else varianceStabilizingTransformation(dds, blind = TRUE)),
    error = function(e) { note <<- c(note, "normTransform"); assay(normTransform(dds)) }
  )
  facts$filter <- nrow(values) - nrow(dds)
  facts$transformation <- if ("normTransform" %in% note) "log2" else "vst"
} else if (method == "edger" || method == "voom") {
  y <- DGEList(values, group = samples$group)
  kept <- filterByExpr(y, design, min.count = min_count)
  if (sum(kept) < 2) { message("too-few-genes"); quit(status = 21) }
  y <- calcNormFactors(y[kept, , keep.lib.sizes = FALSE])
  last <- ncol(design)
  if (method == "edger") {
    y <- estimateDisp(y, design)
    fit <- glmQLFit(y, design)
    top <- topTags(glmQLFTest(fit, coef = last), n = Inf, sort.by = "none")$table
    table <- data.frame(gene = rownames(y), mean = top$logCPM, lfc = top$logFC, shrunken = predFC(y, design, prior.count = 5)[, last],
      se = NA_real_, statistic = top$F, p = top$PValue, adjusted = top$FDR)
  } else {
    fit <- eBayes(lmFit(voom(y, design), design))
    top <- topTable(fit, coef = last, number = Inf, sort.by = "none")
    table <- data.frame(gene = rownames(y), mean = top$AveExpr, lfc = top$logFC, shrunken = NA_real_,
      se = (sqrt(fit$s2.post) * fit$stdev.unscaled[, last]), statistic = top$t, p = top$P.Value, adjusted = top$adj.P.Val)
  }
  factors <- y$samples$norm.factors
  comparable <- cpm(y, log = TRUE, prior.count = 2)
  facts$filter <- sum(!kept)
  facts$transformation <- "logcpm"
} else if (method == "resampling") {
  table <- read.delim("tested.tsv", check.names = FALSE, quote = "", comment.char = "", colClasses = c(gene = "character"), na.strings = character())
  if (nrow(table) < 2) { message("too-few-genes"); quit(status = 21) }
  table <- data.frame(gene = table$gene, mean = table$mean, lfc = table$lfc, shrunken = NA_real_, se = NA_real_,
    statistic = table$difference, p = table$p, adjusted = p.adjust(table$p, "BH"))
  y <- DGEList(values, group = samples$group)
  y <- calcNormFactors(y[rowSums(values) > 0, , keep.lib.sizes = FALSE])
  factors <- y$samples$norm.factors
  comparable <- cpm(y, log = TRUE, prior.count = 2)
  facts$filter <- 0
  facts$transformation <- "logcpm"
} else {
  kept <- rowSums(is.finite(values)) > ncol(design) & apply(values, 1, function(x) {
    x <- x[is.finite(x)]
    length(unique(x)) > 1
  })
  values <- values[kept, , drop = FALSE]
  if (nrow(values) < 2) { message("too-few-genes"); quit(status = 21) }
  fit <- eBayes(lmFit(values, design), trend = TRUE)
  last <- ncol(design)
  top <- topTable(fit, coef = last, number = Inf, sort.by = "none")
  table <- data.frame(gene = rownames(values), mean = top$AveExpr, lfc = top$logFC, shrunken = NA_real_,
    se = (sqrt(fit$s2.post) * fit$stdev.unscaled[, last]), statistic = top$t, p = top$P.Value, adjusted = top$adj.P.Val)
  factors <- rep(NA_real_, ncol(values))
  comparable <- values[rowSums(is.finite(values)) == ncol(values), , drop = FALSE]
  facts$filter <- sum(!kept)
  facts$transformation <- "loaded"
}

# Principal components of the 500 genes that vary most, as plotPCA of DESeq2 takes them.
spread <- apply(comparable, 1, var)
chosen <- head(order(spread, decreasing = TRUE), min(500, sum(spread > 0)))
components <- matrix(NA_real_, ncol(values), 3)
shares <- rep(NA_real_, 3)
if (length(chosen) >= 2) {
  pca <- prcomp(t(comparable[chosen, , drop = FALSE]))
  count <- min(3, ncol(pca$x))
  components[, seq_len(count)] <- pca$x[, seq_len(count)]
  shares[seq_len(count)] <- (pca$sdev^2 / sum(pca$sdev^2))[seq_len(count)]
}
facts$pca_genes <- length(chosen)
for (at in 1:3) facts[[paste0("share", at)]] <- shares[at]
facts$notes <- paste(note, collapse = ",")

numbers <- function(frame) { for (name in names(frame)) if (is.numeric(frame[[name]])) frame[[name]] <- signif(frame[[name]], 15); frame }
if (file.exists("sets.tsv") && requireNamespace("limma", quietly = TRUE)) {
  members <- read.delim("sets.tsv", colClasses = "character", quote = "", comment.char = "", na.strings = character())
  # F of one coefficient has no sign: its root with that of the change is a t.
  ranking <- switch(method,
    edger = sign(table$lfc) * sqrt(table$statistic),
    # A difference of counts is no test statistic: the normal quantile of its p-value is one.
    resampling = sign(table$lfc) * qnorm(table$p / 2, lower.tail = FALSE),
    table$statistic)
  names(ranking) <- table$gene
  ranking <- ranking[is.finite(ranking)]
  index <- limma::ids2indices(split(members$gene, factor(members$set, levels = unique(members$set))), names(ranking), remove.empty = TRUE)
  index <- index[lengths(index) >= 5 & lengths(index) < length(ranking)]
  if (length(index) > 0) {
    tested <- limma::cameraPR(ranking, index, sort = FALSE)
    write.table(numbers(data.frame(set = rownames(tested), size = tested$NGenes, direction = tested$Direction, p = tested$PValue)),
      "sets-tested.tsv", sep = "\t", quote = FALSE, row.names = FALSE)
  }
}
write.table(numbers(table), "genes.tsv", sep = "\t", quote = FALSE, row.names = FALSE)
write.table(numbers(data.frame(total, detected, factor = factors, outliers, pc1 = components[, 1], pc2 = components[, 2], pc3 = components[, 3])),
  "checked.tsv", sep = "\t", quote = FALSE, row.names = FALSE)
write.table(numbers(as.data.frame(as.matrix(dist(t(comparable))))), "distances.tsv", sep = "\t", quote = FALSE, row.names = FALSE, col.names = FALSE)
write.table(data.frame(names(facts), vapply(facts, as.character, "")), "facts.tsv", sep = "\t", quote = FALSE, row.names = FALSE, col.names = FALSE)
