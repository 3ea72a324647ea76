# SPDX-License-Identifier: Apache-2.0

"""The series' migration on the database servers that Nova runs on."""
